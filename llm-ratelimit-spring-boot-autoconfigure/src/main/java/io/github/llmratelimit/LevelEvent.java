package io.github.llmratelimit;

/**
 * Something that has happened to the limits of a level, other than that they were used.
 */
public sealed interface LevelEvent permits LevelChange, LearnedLimit, EvictedLevel {

	/**
	 * The level.
	 * @return the account or the model group
	 */
	LimitScope scope();

	/**
	 * Tell a listener of it.
	 * @param listener the listener
	 */
	void tell(RateLimitListener listener);

}
