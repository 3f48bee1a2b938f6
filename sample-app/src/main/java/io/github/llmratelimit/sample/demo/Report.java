package io.github.llmratelimit.sample.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

import io.github.llmratelimit.simulator.LowerBound;

/**
 * The outcome of the comparison as text.
 */
final class Report {

	private final PrintStream out;

	Report(PrintStream out) {
		this.out = out;
	}

	void title(DemoOptions options) {
		print("%d calls at once against %d requests and %,d tokens a minute; a minute is %.1f s%n%n", options.calls(),
				DemoOptions.REQUESTS_PER_MINUTE, DemoOptions.TOKENS_PER_MINUTE, options.minute().toMillis() / 1000.0);
	}

	/** One row per strategy. */
	void table(List<Result> results, LowerBound bound) {
		this.out.println();
		this.out.println("strategy             makespan     bound      429s   success  mean wait");
		results.forEach((result) -> print("%-18s %10s %7.2f s %9d %7.1f %% %8.2f s%n", result.name(), makespan(result),
				bound.seconds(), result.throttled(), 100.0 * result.succeeded() / result.calls(), result.meanWait()));
		this.out.println();
	}

	private static String makespan(Result result) {
		return (result.failed() == 0) ? String.format(Locale.ROOT, "%.2f s", result.makespan()) : "not done";
	}

	/** The line that scripts read. */
	void summary(Result result, LowerBound bound) {
		print("demo calls=%d succeeded=%d throttled=%d failed=%d makespan=%.2f bound=%.2f utilization=%.3f%n",
				result.calls(), result.succeeded(), result.throttled(), result.failed(), result.makespan(),
				bound.seconds(), utilization(result, bound));
	}

	private static double utilization(Result result, LowerBound bound) {
		return (result.succeeded() > 0) ? bound.seconds() / result.makespan() : 0;
	}

	private void print(String format, Object... values) {
		this.out.printf(Locale.ROOT, format, values);
	}

}
