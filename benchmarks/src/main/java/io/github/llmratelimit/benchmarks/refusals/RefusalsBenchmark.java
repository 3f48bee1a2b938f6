package io.github.llmratelimit.benchmarks.refusals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

import io.github.llmratelimit.benchmarks.Arguments;
import io.github.llmratelimit.benchmarks.Benchmark;
import io.github.llmratelimit.benchmarks.MarkdownTable;
import io.github.llmratelimit.benchmarks.ResultLine;
import io.github.llmratelimit.benchmarks.simulation.Batch;
import io.github.llmratelimit.benchmarks.simulation.Experiment;
import io.github.llmratelimit.benchmarks.simulation.Result;
import io.github.llmratelimit.benchmarks.simulation.StarterStrategy;
import io.github.llmratelimit.benchmarks.simulation.Strategy;
import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.simulator.SimulatorOptions.Headers;

import static io.github.llmratelimit.benchmarks.MarkdownTable.decimals;

/**
 * A hundred clients that ask for more than there is, ten instances that know nothing of
 * each other, and a provider that halves its limits. Deterministic: all time is virtual,
 * all chance has a seed. Every row of the starter shows the worst of several seeds.
 */
public final class RefusalsBenchmark implements Benchmark {

	private static final Batch LOAD = Batch.fixed(1000, 2000).withClients(100);

	private static final Delay NEAR = Delay.uniform(Duration.ofMillis(10), Duration.ofMillis(60));

	private static final Strategy SPACED = Instances.STARTER.with("burst", "1s");

	private static final Strategy ADAPTIVE = StarterStrategy.FULL.with("adaptive.enabled", true);

	private int seeds = 3;

	@Override
	public int run(Arguments arguments) {
		this.seeds = arguments.number("seeds", arguments.isQuick() ? 1 : 3);
		MarkdownTable table = new MarkdownTable("100 clients, 1000 calls of 2000 tokens (retries alone: one seed)",
				"strategy", "attempts", "makespan s", "429s", "success", "mean wait s", "P99 wait s");
		Result ours = Result.worst(closedLoop(Contender.STARTERS, this.seeds, table));
		double exponential = lowestP99(closedLoop(Contender.EXPONENTIALS, 1, table));
		closedLoop(arguments.isQuick() ? List.of() : Contender.OTHERS, 1, table);
		table.print();
		double peakToMean = instances();
		List<Halving> halving = halving();
		new ResultLine("refusals").add("success", ours.success(), 3)
			.add("p99-vs-exponential", ours.waits().p99() / exponential, 3)
			.add("peak-to-mean", peakToMean, 2)
			.add("halving-refused", halving.get(0).refused() + "/" + halving.get(1).refused())
			.add("halving-utilization", Halving.worst(halving).utilization(), 3)
			.add("regained-s", Halving.worst(halving).regained(), 0)
			.print();
		return 0;
	}

	private static List<Result> closedLoop(List<Contender> contenders, int seeds, MarkdownTable table) {
		List<Result> results = new ArrayList<>();
		for (Contender contender : contenders) {
			Result result = Result.worst(
					forEachSeed(seeds, (seed) -> Experiment.run(provider(seed).build(), LOAD, contender.strategy())));
			table.add(contender.name(), contender.attempts(), decimals(result.makespan(), 1), result.refused(),
					decimals(result.success(), 3), decimals(result.waits().mean(), 1),
					decimals(result.waits().p99(), 1));
			results.add(result);
		}
		return results;
	}

	private static double lowestP99(List<Result> results) {
		return results.stream().mapToDouble((result) -> result.waits().p99()).min().orElseThrow();
	}

	private double instances() {
		MarkdownTable table = new MarkdownTable(
				"Ten instances of 50 clients, each with a fifth of the limits configured", "strategy", "headers",
				"arrivals", "429s", "highest arrivals per second ÷ mean");
		double spaced = instances("starter, burst: 1s", Headers.DIALECT, SPACED, table);
		spaced = Math.max(spaced, instances("starter, burst: 1s", Headers.NONE, SPACED, table));
		instances("starter", Headers.DIALECT, Instances.STARTER, table);
		instances("starter", Headers.NONE, Instances.STARTER, table);
		table.print();
		return spaced;
	}

	private double instances(String name, Headers headers, Strategy strategy, MarkdownTable table) {
		List<Instances> runs = forEachSeed(this.seeds,
				(seed) -> Instances.of(provider(seed).headers(headers), strategy, seed));
		Instances worst = runs.stream().max(Comparator.comparingDouble(Instances::peakToMean)).orElseThrow();
		table.add(name, headers, worst.ledger().arrivals(), worst.ledger().refused(), decimals(worst.peakToMean(), 2));
		return worst.peakToMean();
	}

	private List<Halving> halving() {
		MarkdownTable table = new MarkdownTable("The provider halves its limits after 10 minutes, for 20", "strategy",
				"headers", "429s before", "while halved", "after", "utilization while halved", "90 % regained after s");
		List<Halving> runs = List.of(halving("starter", Headers.DIALECT, StarterStrategy.FULL, table),
				halving("starter, adaptive", Headers.NONE, ADAPTIVE, table));
		halving("starter", Headers.NONE, StarterStrategy.FULL, table);
		table.print();
		return runs;
	}

	private Halving halving(String name, Headers headers, Strategy strategy, MarkdownTable table) {
		Halving worst = Halving
			.worst(forEachSeed(this.seeds, (seed) -> Halving.of(provider(seed).headers(headers).build(), strategy)));
		table.add(name, headers, worst.before(), worst.refused(), worst.after(), decimals(worst.utilization(), 3),
				decimals(worst.regained(), 0));
		return worst;
	}

	private static <T> List<T> forEachSeed(int seeds, LongFunction<T> run) {
		return LongStream.range(0, seeds).mapToObj(run).toList();
	}

	private static SimulatorOptions.Builder provider(long seed) {
		return Experiment.provider().networkDelay(NEAR).seed(seed);
	}

}
