package io.github.llmratelimit.limit;

import io.github.llmratelimit.Counted;

/**
 * What the calls in flight have claimed, for limits that are younger than the calls. Not
 * thread-safe.
 */
final class InFlight {

	private static final Counted[] COUNTED = Counted.values();

	private final long[] amounts = new long[COUNTED.length];

	void add(Claim claim) {
		for (Counted counted : COUNTED) {
			this.amounts[counted.ordinal()] += claim.amount(counted);
		}
	}

	void remove(Claim claim) {
		for (Counted counted : COUNTED) {
			this.amounts[counted.ordinal()] -= claim.amount(counted);
		}
	}

	long amount(Counted counted) {
		return this.amounts[counted.ordinal()];
	}

}
