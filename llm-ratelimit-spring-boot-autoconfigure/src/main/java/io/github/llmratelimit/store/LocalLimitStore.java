package io.github.llmratelimit.store;

import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.limit.WallTime;
import io.github.llmratelimit.time.TimeSource;

/**
 * The limits of one process, in its memory. Thread-safe.
 */
public final class LocalLimitStore implements LimitStore {

	private final TimeSource time;

	/**
	 * Create a store.
	 * @param time the time
	 */
	public LocalLimitStore(TimeSource time) {
		this.time = time;
	}

	@Override
	public ProviderLimits open(ProviderPlan plan) {
		WallTime wallTime = new WallTime(this.time.now(), this.time.nanoTime());
		return new LocalProviderLimits(new Accounts(plan, wallTime), this.time);
	}

}
