package io.github.llmratelimit.benchmarks.simulation;

import java.util.List;

/**
 * How long the calls that were answered waited: from their submission to the sending of
 * the attempt that was admitted, in seconds.
 *
 * @param mean the mean
 * @param p99 what 99 % of them stayed below
 */
public record Waits(double mean, double p99) {

	private static final double HIGH = 0.99;

	static Waits of(List<Double> waits) {
		List<Double> sorted = waits.stream().sorted().toList();
		double mean = waits.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
		return new Waits(mean, sorted.isEmpty() ? Double.NaN : sorted.get((int) Math.ceil(HIGH * sorted.size()) - 1));
	}

}
