package io.github.llmratelimit.benchmarks.goodput;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How a run ended.
 *
 * @param makespan seconds until the last answer was there, infinite if it was cut off
 * @param bound the physical lower bound in seconds
 * @param refused refusals by the provider
 * @param success share of the calls that were answered
 * @param sends requests per call
 */
record Result(double makespan, double bound, long refused, double success, double sends) {

	double ratio() {
		return this.makespan / this.bound;
	}

	/**
	 * The worst of several runs, value by value.
	 * @param results the runs, at least one
	 * @return a result that none of them is worse than; its ratio is the worst ratio
	 */
	static Result worst(List<Result> results) {
		double bound = results.get(0).bound();
		return new Result(bound * max(results, Result::ratio), bound,
				results.stream().mapToLong(Result::refused).max().orElseThrow(),
				results.stream().mapToDouble(Result::success).min().orElseThrow(), max(results, Result::sends));
	}

	private static double max(List<Result> results, ToDoubleFunction<Result> value) {
		return results.stream().mapToDouble(value).max().orElseThrow();
	}

	Object[] cells(Object... first) {
		Object[] cells = new Object[first.length + 6];
		System.arraycopy(first, 0, cells, 0, first.length);
		cells[first.length] = format("%.1f", this.bound);
		cells[first.length + 1] = format("%.1f", this.makespan);
		cells[first.length + 2] = format("%.4f", ratio());
		cells[first.length + 3] = this.refused;
		cells[first.length + 4] = format("%.3f", this.success);
		cells[first.length + 5] = format("%.2f", this.sends);
		return cells;
	}

	private static String format(String format, double value) {
		return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "never";
	}

}
