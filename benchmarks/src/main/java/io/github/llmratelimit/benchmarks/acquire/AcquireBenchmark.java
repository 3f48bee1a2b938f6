package io.github.llmratelimit.benchmarks.acquire;

import java.util.List;

import io.github.llmratelimit.benchmarks.Arguments;
import io.github.llmratelimit.benchmarks.Benchmark;
import io.github.llmratelimit.benchmarks.Control;
import io.github.llmratelimit.benchmarks.ResultLine;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Decision and completion of a call that is granted at once, beside those of Bucket4j and
 * Resilience4j. The ratios to Bucket4j are to its nanosecond clock, which is the clock
 * that all the others read; the table has its coarser default clock as well.
 */
public final class AcquireBenchmark implements Benchmark {

	private static final String OURS = "Ours.decision";

	private static final String AGAIN = "Ours.decision (again)";

	private static final String MILLIS = "Bucket4j.millisClock";

	private static final String NANOS = "Bucket4j.nanosClock";

	private static final String RESILIENCE4J = "Resilience4j.twoInSequence";

	private static final List<String> ONE_THREAD = List.of(OURS, MILLIS, NANOS, RESILIENCE4J, AGAIN, "Floor.nanoTime",
			"Ours.monoPath");

	private static final List<String> TWO_THREADS = List.of(OURS, MILLIS, NANOS, RESILIENCE4J, AGAIN);

	@Override
	public int run(Arguments arguments) throws RunnerException {
		int rounds = arguments.number("rounds", arguments.isQuick() ? 2 : 60);
		int millis = arguments.number("millis", arguments.isQuick() ? 10 : 50);
		Rounds one = Rounds.of(1, ONE_THREAD);
		Rounds two = Rounds.of(2, TWO_THREADS);
		one.warmUp(millis);
		two.warmUp(millis);
		Control control = Control.repeat(arguments, () -> {
			for (int i = 0; i < rounds; i++) {
				one.add(millis);
				two.add(millis);
			}
			return one.ratio(AGAIN, OURS);
		});
		one.print();
		two.print();
		control.print();
		new ResultLine("acquire").add("vs-bucket4j", one.ratio(OURS, NANOS), 3)
			.add("vs-resilience4j", one.ratio(OURS, RESILIENCE4J), 3)
			.add("two-threads", two.ratio(OURS, NANOS), 3)
			.add("bytes", one.bytes(OURS), 0)
			.print();
		return control.exitCode();
	}

}
