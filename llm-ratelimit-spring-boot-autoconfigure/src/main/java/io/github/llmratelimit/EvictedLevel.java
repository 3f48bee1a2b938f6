package io.github.llmratelimit;

import java.util.List;

/**
 * The level of a model that was idle and had to make room for another. When the model is
 * called again, its limits are learned anew.
 *
 * @param scope the model
 * @param limits the limits that were learned for it
 */
public record EvictedLevel(LimitScope scope, List<Limit> limits) implements LevelEvent {

	/**
	 * Create an evicted level.
	 */
	public EvictedLevel {
		limits = List.copyOf(limits);
	}

	@Override
	public void tell(RateLimitListener listener) {
		listener.onLevelEvicted(this);
	}

}
