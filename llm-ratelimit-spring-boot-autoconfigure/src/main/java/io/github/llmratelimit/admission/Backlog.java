package io.github.llmratelimit.admission;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.TokenEstimate;

/**
 * The sums of what waits in one sub-queue, as far as it will surely be used. Not
 * thread-safe: it belongs to the drain.
 */
final class Backlog {

	private static final Counted[] COUNTS = Counted.values();

	private final long[] sums = new long[COUNTS.length];

	void add(TokenEstimate tokens, int units) {
		for (Counted counted : COUNTS) {
			this.sums[counted.ordinal()] += counted.of(tokens, units);
		}
	}

	void remove(TokenEstimate tokens, int units) {
		for (Counted counted : COUNTS) {
			this.sums[counted.ordinal()] -= counted.of(tokens, units);
		}
	}

	long of(Counted counted) {
		return this.sums[counted.ordinal()];
	}

}
