package io.github.llmratelimit.benchmarks.estimates;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

import io.github.llmratelimit.benchmarks.Arguments;
import io.github.llmratelimit.benchmarks.Benchmark;
import io.github.llmratelimit.benchmarks.MarkdownTable;
import io.github.llmratelimit.benchmarks.ResultLine;
import io.github.llmratelimit.benchmarks.simulation.StarterStrategy;
import io.github.llmratelimit.benchmarks.simulation.Strategy;
import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.simulator.SimulatorOptions.Charging;

/**
 * The throughput that is lost where {@code max_tokens} is 2, 4 and 8 times what is really
 * answered, by what is made of it: reserved for good, settled by the usage, or not
 * reserved at all because answers have been shorter. Deterministic: all time is virtual,
 * all chance has a seed. Every row shows the worst of several seeds.
 */
public final class EstimatesBenchmark implements Benchmark {

	private static final int CALLS = 1000;

	private static final int REQUESTS_PER_MINUTE = 2000;

	private static final long TOKENS_PER_MINUTE = 100_000;

	private static final List<Integer> HEADROOMS = List.of(2, 4, 8);

	private static final StarterStrategy STARTER = StarterStrategy.DEFAULT
		.with("limits.requests-per-minute", REQUESTS_PER_MINUTE)
		.with("limits.tokens-per-minute", TOKENS_PER_MINUTE)
		.with("algorithm.tokens", "token-bucket")
		.with("safety-margin", 1.0)
		.with("queue.max-wait.normal", "24h")
		.with("base-urls", "https://api.openai.com");

	private static final Strategy KEPT = STARTER.with("dialect", "azure-openai");

	private static final Strategy SETTLED = STARTER.with("dialect", "openai-compatible");

	private static final Strategy LEARNED = STARTER.with("dialect", "openai-compatible")
		.with("tokens.reserve-output", "expected");

	private static final Strategy OF_DIALECT = STARTER.with("dialect", "openai");

	private int seeds;

	@Override
	public int run(Arguments arguments) {
		this.seeds = arguments.number("seeds", arguments.isQuick() ? 1 : 3);
		List<Outcome> goal = tables(Duration.ofSeconds(3));
		if (!arguments.isQuick()) {
			tables(Duration.ofSeconds(30));
		}
		Outcome worst = Outcome.worst(goal);
		new ResultLine("estimates").add("ratio", worst.ratio(), 4)
			.add("refused", goal.stream().mapToLong(Outcome::refused).sum())
			.print();
		return 0;
	}

	/** Prints tables and returns the rows that are the starter's own choice. */
	private List<Outcome> tables(Duration latency) {
		MarkdownTable actual = table("Provider charges what is used, calls of %d s".formatted(latency.toSeconds()));
		rows(actual, "reserved for good", KEPT, Charging.ACTUAL, latency);
		rows(actual, "settled", SETTLED, Charging.ACTUAL, latency);
		List<Outcome> own = rows(actual, "settled and learned", LEARNED, Charging.ACTUAL, latency);
		actual.print();
		MarkdownTable max = table("Provider charges max_tokens, calls of %d s".formatted(latency.toSeconds()));
		own.addAll(rows(max, "as its dialect says", OF_DIALECT, Charging.MAX_TOKENS, latency));
		max.print();
		return own;
	}

	private List<Outcome> rows(MarkdownTable table, String name, Strategy strategy, Charging charging,
			Duration latency) {
		List<Outcome> outcomes = new ArrayList<>();
		for (int headroom : HEADROOMS) {
			Outcome worst = Outcome.worst(LongStream.range(0, this.seeds)
				.mapToObj((seed) -> Outcome.of(Calls.of(CALLS, headroom, seed), provider(charging, latency, seed),
						strategy))
				.toList());
			table.add(name, headroom, String.format(Locale.ROOT, "%.4f", worst.ratio()), worst.refused(),
					String.format(Locale.ROOT, "%.3f", worst.success()));
			outcomes.add(worst);
		}
		return outcomes;
	}

	private static SimulatorOptions provider(Charging charging, Duration latency, long seed) {
		return SimulatorOptions.builder()
			.requestsPerMinute(REQUESTS_PER_MINUTE)
			.tokensPerMinute(TOKENS_PER_MINUTE)
			.charging(charging)
			.headers(SimulatorOptions.Headers.RETRY_AFTER)
			.latency(Delay.fixed(latency))
			.networkDelay(Delay.uniform(Duration.ofMillis(10), Duration.ofMillis(60)))
			.seed(seed)
			.build();
	}

	private static MarkdownTable table(String title) {
		return new MarkdownTable(title, "max_tokens is", "times the answer", "ratio", "429s", "success");
	}

}
