package io.github.llmratelimit.benchmarks.goodput;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

import io.github.llmratelimit.benchmarks.Arguments;
import io.github.llmratelimit.benchmarks.Benchmark;
import io.github.llmratelimit.benchmarks.MarkdownTable;
import io.github.llmratelimit.benchmarks.ResultLine;
import io.github.llmratelimit.benchmarks.simulation.Batch;
import io.github.llmratelimit.benchmarks.simulation.Experiment;
import io.github.llmratelimit.benchmarks.simulation.Result;
import io.github.llmratelimit.benchmarks.simulation.RetryStrategy;
import io.github.llmratelimit.benchmarks.simulation.StarterStrategy;
import io.github.llmratelimit.benchmarks.simulation.Strategy;
import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.LowerBound;
import io.github.llmratelimit.simulator.SimulatorOptions;
import org.jspecify.annotations.Nullable;

import static io.github.llmratelimit.benchmarks.MarkdownTable.decimals;

/**
 * A thousand calls at once against 60 requests and 100,000 tokens per minute, through the
 * starter and through retries alone. Deterministic: all time is virtual, all chance has a
 * seed. Every row shows the worst of several seeds.
 */
public final class GoodputBenchmark implements Benchmark {

	private static final int CALLS = 1000;

	private static final int TOKENS = 2000;

	private static final int FEW_TOKENS = 500;

	private static final int REQUESTS_USED_BEFORE = 40;

	private static final RetryStrategy ONE_SECOND = RetryStrategy.fixed(Duration.ofSeconds(1));

	private static final RetryStrategy ONE_MINUTE = RetryStrategy.fixed(Duration.ofMinutes(1));

	private static final RetryStrategy EXPONENTIAL = RetryStrategy
		.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1))
		.withFullJitter();

	private static final RetryStrategy RETRY_AFTER = RetryStrategy.retryAfter();

	private static final Strategy DEFAULT = StarterStrategy.DEFAULT;

	private static final Strategy FULL = StarterStrategy.FULL;

	private static final Strategy SPACED = StarterStrategy.FULL.with("burst", "1s");

	private static final Delay NEAR = millis(10, 60);

	private static final List<Delay> DELAYS = List.of(NEAR, millis(20, 220), millis(50, 1050));

	private static final List<Function<Long, Batch>> BATCHES = List.of((seed) -> Batch.fixed(CALLS, TOKENS),
			(seed) -> Batch.lognormal(CALLS, TOKENS, seed));

	private static final List<Function<Long, Batch>> SMALL_BATCH = List.of((seed) -> Batch.fixed(CALLS, FEW_TOKENS));

	private static final List<Boolean> REFUSED_COUNT = List.of(false, true);

	private int seeds = 5;

	@Override
	public int run(Arguments arguments) {
		this.seeds = arguments.number("seeds", arguments.isQuick() ? 1 : 5);
		printBound();
		List<Result> full = cells("Starter, safety-margin 1.0", FULL, DELAYS, BATCHES, REFUSED_COUNT);
		List<Result> requests = cells("Starter, requests bind: 500 tokens a call", FULL, DELAYS, SMALL_BATCH,
				List.of(false));
		List<Result> margin = cells("Starter, default safety-margin 0.95", DEFAULT, DELAYS, BATCHES, List.of(false));
		List<Result> cold = coldStart();
		List<Result> sliced = sliced();
		if (!arguments.isQuick()) {
			rivals();
		}
		new ResultLine("goodput").add("ratio", Result.worst(full).ratio(), 4)
			.add("refused", full.stream().mapToLong(Result::refused).sum())
			.add("success", Result.worst(full).success(), 3)
			.add("rpm-bound-ratio", Result.worst(requests).ratio(), 4)
			.add("default-ratio", Result.worst(margin).ratio(), 4)
			.add("cold-ratio", Result.worst(cold).ratio(), 4)
			.add("cold-refused", Result.worst(cold).refused())
			.add("sliced-refused", sliced.stream().mapToLong(Result::refused).sum())
			.print();
		return 0;
	}

	private static void printBound() {
		LowerBound bound = Experiment.bound(Experiment.provider().build(), Batch.fixed(CALLS, TOKENS));
		System.out.printf("Lower bound of %d calls of %d tokens: %d s (requests alone %d s, tokens alone %d s)%n",
				CALLS, TOKENS, bound.makespan().toSeconds(), bound.requestsOnly().toSeconds(),
				bound.tokensOnly().toSeconds());
	}

	private List<Result> cells(String title, Strategy strategy, List<Delay> delays, List<Function<Long, Batch>> batches,
			List<Boolean> refusedCount) {
		MarkdownTable table = table(title, "one-way delay ms", "sizes", "refused count");
		List<Result> all = new ArrayList<>();
		for (Delay delay : delays) {
			for (Function<Long, Batch> batch : batches) {
				for (boolean counts : refusedCount) {
					Result worst = worst((seed) -> Experiment.run(provider(delay, counts, seed).build(),
							batch.apply(seed), strategy));
					table.add(cells(worst, text(delay), batch.apply(0L).name(), counts));
					all.add(worst);
				}
			}
		}
		table.print();
		return all;
	}

	private List<Result> coldStart() {
		MarkdownTable table = table("Starter, cold: another process has used 40 of the first minute's 60 requests",
				"one-way delay ms", "refused count");
		List<Result> all = new ArrayList<>();
		for (Delay delay : DELAYS) {
			for (boolean counts : REFUSED_COUNT) {
				Result worst = worst((seed) -> Experiment.run(
						provider(delay, counts, seed).usedBefore(REQUESTS_USED_BEFORE, 0).build(),
						Batch.fixed(CALLS, TOKENS), FULL));
				table.add(cells(worst, text(delay), counts));
				all.add(worst);
			}
		}
		table.print();
		return all;
	}

	private List<Result> sliced() {
		MarkdownTable table = table("Provider enforces 60 requests a minute as one a second", "client",
				"tokens a call");
		List<Result> spaced = new ArrayList<>();
		for (int tokens : List.of(TOKENS, FEW_TOKENS)) {
			Result worst = worst((seed) -> slicedRun(tokens, SPACED, seed));
			table.add(cells(worst, "burst: 1s", tokens));
			spaced.add(worst);
		}
		table.add(cells(worst((seed) -> slicedRun(TOKENS, FULL, seed)), "no burst", TOKENS));
		table.print();
		return spaced;
	}

	private static Result slicedRun(int tokens, Strategy strategy, long seed) {
		SimulatorOptions options = provider(NEAR, false, seed).slices(Experiment.REQUESTS_PER_MINUTE).build();
		return Experiment.run(options, Batch.fixed(CALLS, tokens), strategy);
	}

	private void rivals() {
		MarkdownTable table = table("Retries alone, one-way delay 10-60 ms, fixed sizes, one seed, cut off after 1 h",
				"strategy", "attempts", "refused count");
		rival(table, "fixed 1 s", 4, ONE_SECOND.withMaxAttempts(4), false);
		rival(table, "fixed 60 s", 4, ONE_MINUTE.withMaxAttempts(4), false);
		rival(table, "fixed 60 s", null, ONE_MINUTE, false);
		rival(table, "exponential, full jitter", 4, EXPONENTIAL.withMaxAttempts(4), false);
		rival(table, "exponential, full jitter", null, EXPONENTIAL, false);
		rival(table, "Retry-After", 4, RETRY_AFTER.withMaxAttempts(4), false);
		rival(table, "Retry-After", null, RETRY_AFTER, false);
		rival(table, "fixed 60 s", null, ONE_MINUTE, true);
		rival(table, "exponential, full jitter", null, EXPONENTIAL, true);
		rival(table, "Retry-After", null, RETRY_AFTER, true);
		rival(table, "starter, safety-margin 1.0", 4, FULL, true);
		table.print();
	}

	private static void rival(MarkdownTable table, String name, @Nullable Integer attempts, Strategy strategy,
			boolean refusedCount) {
		Result result = Experiment.run(provider(NEAR, refusedCount, 0).build(), Batch.fixed(CALLS, TOKENS), strategy);
		table.add(cells(result, name, (attempts != null) ? attempts : "unlimited", refusedCount));
	}

	private Result worst(Function<Long, Result> run) {
		return Result.worst(LongStream.range(0, this.seeds).boxed().map(run).toList());
	}

	private static Object[] cells(Result result, Object... first) {
		List<Object> cells = new ArrayList<>(List.of(first));
		cells.addAll(List.of(decimals(result.bound(), 1), decimals(result.makespan(), 1), decimals(result.ratio(), 4),
				result.refused(), decimals(result.success(), 3), decimals(result.sends(), 2)));
		return cells.toArray();
	}

	private static SimulatorOptions.Builder provider(Delay delay, boolean refusedCount, long seed) {
		return Experiment.provider().networkDelay(delay).refusedCount(refusedCount).seed(seed);
	}

	private static Delay millis(long min, long max) {
		return Delay.uniform(Duration.ofMillis(min), Duration.ofMillis(max));
	}

	private static String text(Delay delay) {
		return delay.min().toMillis() + "-" + delay.max().toMillis();
	}

	private static MarkdownTable table(String title, String... first) {
		List<String> columns = new ArrayList<>(List.of(first));
		columns.addAll(List.of("bound s", "makespan s", "ratio", "429s", "success", "sends/call"));
		return new MarkdownTable(title, columns.toArray(String[]::new));
	}

}
