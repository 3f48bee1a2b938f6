package io.github.llmratelimit.benchmarks.priorities;

import java.util.List;

/**
 * How a mix of calls went.
 *
 * @param waits seconds that each interactive call waited, as far as it was sent
 * @param interactive how many interactive calls came
 * @param utilization tokens that the provider admitted ÷ those that it could have
 * admitted
 * @param batchSent batch calls that were sent
 * @param refused refusals by the provider
 */
record Outcome(List<Double> waits, int interactive, double utilization, int batchSent, int refused) {

	Outcome {
		waits = waits.stream().sorted().toList();
		if (waits.size() != interactive) {
			throw new IllegalStateException(waits.size() + " of " + interactive + " interactive calls were sent");
		}
	}

	/** The wait that a share of the calls stayed below. */
	double waitOf(double share) {
		return this.waits.get(Math.max(0, (int) Math.ceil(share * this.waits.size()) - 1));
	}

}
