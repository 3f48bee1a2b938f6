package io.github.llmratelimit.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.llmratelimit.benchmarks.acquire.AcquireBenchmark;
import io.github.llmratelimit.benchmarks.estimates.EstimatesBenchmark;
import io.github.llmratelimit.benchmarks.exchange.ExchangeBenchmark;
import io.github.llmratelimit.benchmarks.goodput.GoodputBenchmark;
import io.github.llmratelimit.benchmarks.keys.KeysBenchmark;
import io.github.llmratelimit.benchmarks.priorities.PrioritiesBenchmark;
import io.github.llmratelimit.benchmarks.reading.ReadingBenchmark;
import io.github.llmratelimit.benchmarks.refusals.RefusalsBenchmark;
import io.github.llmratelimit.benchmarks.waiters.WaitersBenchmark;

/**
 * Runs a benchmark by its name: {@code java -jar benchmarks.jar NAME [--quick] …}.
 */
public final class Benchmarks {

	private static final Map<String, Benchmark> BY_NAME = new TreeMap<>(Map.of(
	// @formatter:off
			"goodput", new GoodputBenchmark(),
			"acquire", new AcquireBenchmark(),
			"estimates", new EstimatesBenchmark(),
			"exchange", new ExchangeBenchmark(),
			"keys", new KeysBenchmark(),
			"reading", new ReadingBenchmark(),
			"refusals", new RefusalsBenchmark(),
			"priorities", new PrioritiesBenchmark(),
			"waiters", new WaitersBenchmark()
	// @formatter:on
	));

	private Benchmarks() {
	}

	/**
	 * Run a benchmark and exit with its code.
	 * @param args its name and its options
	 * @throws Exception if it cannot be measured
	 */
	public static void main(String[] args) throws Exception {
		System.exit(run(Arrays.asList(args)));
	}

	private static int run(List<String> args) throws Exception {
		Benchmark benchmark = args.isEmpty() ? null : BY_NAME.get(args.get(0));
		if (benchmark == null) {
			System.err.println("Usage: java -jar benchmarks.jar NAME [--quick], where NAME is one of "
					+ String.join(", ", BY_NAME.keySet()));
			return 2;
		}
		return benchmark.run(Arguments.of(args.subList(1, args.size())));
	}

}
