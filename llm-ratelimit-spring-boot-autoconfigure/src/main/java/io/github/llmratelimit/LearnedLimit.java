package io.github.llmratelimit;

/**
 * A limit that nobody has configured, but the provider has announced.
 *
 * @param scope the account or the model that it holds for
 * @param limit the limit
 */
public record LearnedLimit(LimitScope scope, Limit limit) implements LevelEvent {

	@Override
	public void tell(RateLimitListener listener) {
		listener.onLimitLearned(this);
	}

}
