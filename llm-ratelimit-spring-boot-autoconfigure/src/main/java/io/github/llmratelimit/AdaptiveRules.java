package io.github.llmratelimit;

import java.time.Duration;

/**
 * How limits follow what a provider accepts while it does not announce it.
 *
 * @param start share of a limit that is used at first, above 0 and at most 1
 * @param increase share by which it grows
 * @param every quiet time after which it grows
 * @param decrease share of it that is taken away by a burst of refusals
 * @param aboveConfigured whether it may grow above what is configured
 * @param found makes a limit where refusals show that there is one
 */
public record AdaptiveRules(double start, double increase, Duration every, double decrease, boolean aboveConfigured,
		LimitLearning.Rule found) {

	public AdaptiveRules {
		requireShare("start", start, true);
		requireShare("increase", increase, true);
		requireShare("decrease", decrease, false);
		if (every.isNegative() || every.isZero()) {
			throw new IllegalArgumentException("every: " + every + " (expected: > 0)");
		}
	}

	private static void requireShare(String name, double share, boolean orAll) {
		if (!(share > 0 && (share < 1 || orAll && share == 1))) {
			throw new IllegalArgumentException(
					name + ": " + share + " (expected: > 0 and " + (orAll ? "<= 1)" : "< 1)"));
		}
	}

}
