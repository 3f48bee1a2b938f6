package io.github.llmratelimit.benchmarks;

import java.util.Collection;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One short measurement of one operation by JMH, in this JVM. What stands behind the name
 * of an operation is left out, so that the same one can be measured twice.
 *
 * @param nanos time per operation
 * @param bytes what it allocates
 */
public record Sample(double nanos, double bytes) {

	/**
	 * Measure an operation.
	 * @param operation name of its class and method
	 * @param threads how many threads work at once
	 * @param millis length of each iteration
	 * @param warmUps how many iterations are not measured
	 * @return the sample
	 * @throws RunnerException if it cannot be measured
	 */
	public static Sample of(String operation, int threads, int millis, int warmUps) throws RunnerException {
		Collection<RunResult> results = new Runner(new OptionsBuilder().include("\\." + operation.split(" ")[0] + "$")
			.mode(Mode.AverageTime)
			.timeUnit(TimeUnit.NANOSECONDS)
			.threads(threads)
			.forks(0)
			.warmupIterations(warmUps)
			.warmupTime(TimeValue.milliseconds(millis))
			.measurementIterations(1)
			.measurementTime(TimeValue.milliseconds(millis))
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(true)
			.verbosity(VerboseMode.SILENT)
			.build()).run();
		RunResult result = results.iterator().next();
		Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
		return new Sample(result.getPrimaryResult().getScore(),
				(allocated != null) ? allocated.getScore() : Double.NaN);
	}

}
