package io.github.llmratelimit;

import java.time.Duration;

/**
 * How limits follow from what a provider announces in its responses.
 *
 * @param perModel whether an announcement speaks of the asked model alone, rather than of
 * the whole account
 * @param rule makes a limit of an announced ceiling
 */
public record LimitLearning(boolean perModel, Rule rule) {

	/**
	 * Makes limits. Implementations MUST be thread-safe.
	 */
	@FunctionalInterface
	public interface Rule {

		/**
		 * The limit that keeps calls within an announced ceiling.
		 * @param counts what the ceiling counts
		 * @param amount the ceiling, 1 or more
		 * @param per its window
		 * @return the limit
		 */
		Limit limit(Counted counts, long amount, Duration per);

	}

}
