package io.github.llmratelimit;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The limits of one level: of an account, or of a model group in it.
 *
 * @param limits ceilings over time, all of which a call must fit
 * @param maxConcurrency most calls in flight at once, {@code null} for any number
 */
public record LimitPlan(List<Limit> limits, @Nullable Integer maxConcurrency) {

	/** No limit at all. */
	public static final LimitPlan UNLIMITED = new LimitPlan(List.of(), null);

	public LimitPlan {
		limits = List.copyOf(limits);
		if (maxConcurrency != null && maxConcurrency < 1) {
			throw new IllegalArgumentException("max-concurrency: " + maxConcurrency + " (expected: > 0)");
		}
	}

	/**
	 * A plan without a limit on calls in flight.
	 * @param limits the ceilings
	 * @return the plan
	 */
	public static LimitPlan of(Limit... limits) {
		return new LimitPlan(List.of(limits), null);
	}

	public LimitPlan withMaxConcurrency(@Nullable Integer maxConcurrency) {
		return new LimitPlan(this.limits, maxConcurrency);
	}

}
