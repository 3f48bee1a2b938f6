package io.github.llmratelimit.simulator;

import java.time.Duration;

import io.github.llmratelimit.simulator.dialect.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The shortest time in which a list of calls can be done, whatever the client does: every
 * call arrives at the earliest moment the limits allow, in the given order, the first at
 * the start. Immutable. Network delay, concurrency and limits on input or output alone
 * are left out, and of a latency that varies the shortest is taken. For a bucket alone
 * the order makes no difference.
 *
 * @param makespan under all limits
 * @param requestsOnly as if tokens were unlimited
 * @param tokensOnly as if requests were unlimited
 */
public record LowerBound(Duration makespan, Duration requestsOnly, Duration tokensOnly) {

	/**
	 * Computes the bound.
	 * @param options the provider's limits, minute, latency and what was used before
	 * @param tokens what each call is charged
	 * @throws IllegalArgumentException if a call is larger than the token limit
	 */
	public static LowerBound of(SimulatorOptions options, long[] tokens) {
		SimulatorOptions none = SimulatorOptions.builder()
			.minute(options.minute())
			.slices(options.slices())
			.tokenAlgorithm(options.tokenAlgorithm())
			.latency(options.latency())
			.usedBefore(options.usedBefore().requests(), options.usedBefore().tokens())
			.build();
		return new LowerBound(makespan(limited(none, options.requestsPerMinute(), options.tokensPerMinute()), tokens),
				makespan(limited(none, options.requestsPerMinute(), null), tokens),
				makespan(limited(none, null, options.tokensPerMinute()), tokens));
	}

	private static SimulatorOptions limited(SimulatorOptions none, @Nullable Integer requests, @Nullable Long tokens) {
		SimulatorOptions.Builder limited = none.toBuilder();
		if (requests != null) {
			limited.requestsPerMinute(requests);
		}
		if (tokens != null) {
			limited.tokensPerMinute(tokens);
		}
		return limited.build();
	}

	private static Duration makespan(SimulatorOptions options, long[] tokens) {
		if (tokens.length == 0) {
			return Duration.ZERO;
		}
		AccountLimits limits = new AccountLimits(options, 0);
		long now = 0;
		for (long charge : tokens) {
			now = admitAtEarliest(limits, charge, now);
		}
		return Duration.ofNanos(now).plus(options.latency().min());
	}

	private static long admitAtEarliest(AccountLimits limits, long charge, long now) {
		TokenLimits.Cost cost = new TokenLimits.Cost(charge, 0);
		Refusal refusal = limits.refuse(cost, now);
		if (refusal != null && refusal.waitNanos() == 0) {
			throw new IllegalArgumentException(
					"tokens: %d (expected: <= %d)".formatted(refusal.requested(), refusal.limit()));
		}
		long earliest = now + ((refusal != null) ? refusal.waitNanos() : 0);
		limits.admit(cost, earliest);
		return earliest;
	}

	/** The bound under all limits, in seconds. */
	public double seconds() {
		return this.makespan.toNanos() / 1e9;
	}

}
