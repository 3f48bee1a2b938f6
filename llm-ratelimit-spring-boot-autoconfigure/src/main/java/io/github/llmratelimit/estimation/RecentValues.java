package io.github.llmratelimit.estimation;

import java.util.Arrays;

/**
 * The last values of a series. Pure; not thread-safe.
 */
final class RecentValues {

	private final double[] values;

	private long added;

	RecentValues(int capacity) {
		this.values = new double[capacity];
	}

	void add(double value) {
		this.values[(int) (this.added++ % this.values.length)] = value;
	}

	int size() {
		return (int) Math.min(this.added, this.values.length);
	}

	/** The smallest value that at least this share of them does not exceed. */
	double quantile(double share) {
		double[] sorted = Arrays.copyOf(this.values, size());
		Arrays.sort(sorted);
		return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
	}

	double mean() {
		return Arrays.stream(this.values, 0, size()).average().orElseThrow();
	}

}
