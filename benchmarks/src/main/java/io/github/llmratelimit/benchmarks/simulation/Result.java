package io.github.llmratelimit.benchmarks.simulation;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How the calls of an application ended.
 *
 * @param makespan seconds until the last answer was there, infinite if it was cut off
 * @param bound the physical lower bound in seconds
 * @param refused refusals by the provider
 * @param success share of the calls that were answered
 * @param sends requests per call
 * @param waits how long the calls waited
 */
public record Result(double makespan, double bound, long refused, double success, double sends, Waits waits) {

	public double ratio() {
		return this.makespan / this.bound;
	}

	/**
	 * The worst of several runs, value by value.
	 * @param results the runs, at least one
	 * @return a result that none of them is worse than; its ratio is the worst ratio
	 */
	public static Result worst(List<Result> results) {
		double bound = results.get(0).bound();
		return new Result(bound * max(results, Result::ratio), bound, (long) max(results, Result::refused),
				results.stream().mapToDouble(Result::success).min().orElseThrow(), max(results, Result::sends),
				new Waits(max(results, (result) -> result.waits().mean()),
						max(results, (result) -> result.waits().p99())));
	}

	private static double max(List<Result> results, ToDoubleFunction<Result> value) {
		return results.stream().mapToDouble(value).max().orElseThrow();
	}

}
