package io.github.llmratelimit.benchmarks;

import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * The middle of some values.
 */
public final class Median {

	private Median() {
	}

	/**
	 * The median.
	 * @param values the values, in any order
	 * @return the middle one, or the mean of the two in the middle
	 */
	public static double of(Collection<Double> values) {
		double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
		if (sorted.length == 0) {
			return Double.NaN;
		}
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

	/**
	 * The median of what is computed from each of some things.
	 * @param <T> type of the things
	 * @param things the things
	 * @param value what is computed from each
	 * @return the median
	 */
	public static <T> double of(Collection<T> things, ToDoubleFunction<T> value) {
		return of(things.stream().map(value::applyAsDouble).toList());
	}

}
