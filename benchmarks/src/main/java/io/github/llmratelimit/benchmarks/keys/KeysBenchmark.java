package io.github.llmratelimit.benchmarks.keys;

import java.util.List;
import java.util.Locale;

import io.github.llmratelimit.benchmarks.Arguments;
import io.github.llmratelimit.benchmarks.Benchmark;
import io.github.llmratelimit.benchmarks.MarkdownTable;
import io.github.llmratelimit.benchmarks.ResultLine;
import io.github.llmratelimit.benchmarks.simulation.Batch;
import io.github.llmratelimit.benchmarks.simulation.Experiment;
import io.github.llmratelimit.benchmarks.simulation.Result;
import io.github.llmratelimit.benchmarks.simulation.StarterStrategy;
import io.github.llmratelimit.simulator.SimulatorOptions;

/**
 * What four keys of four accounts bring against one, each account with 60 requests and
 * 100,000 tokens per minute. Deterministic: all time is virtual. The same batch is done
 * more than four times as fast, because each account begins with a full bucket; so four
 * keys also get four times the calls, and the lesser speedup counts.
 */
public final class KeysBenchmark implements Benchmark {

	private static final List<String> ONE = List.of("a");

	private static final List<String> FOUR = List.of("a", "b", "c", "d");

	private static final List<String> SELECTIONS = List.of("least-wait", "round-robin", "random");

	private static final int CALLS = 1000;

	private static final int TOKENS = 2000;

	private final MarkdownTable table = new MarkdownTable("Keys of different accounts", "selection", "keys", "calls",
			"makespan s", "calls per minute", "429s", "success");

	@Override
	public int run(Arguments arguments) {
		double speedup = Double.POSITIVE_INFINITY;
		for (String selection : SELECTIONS.subList(0, arguments.isQuick() ? 1 : SELECTIONS.size())) {
			double one = throughput(selection, ONE, CALLS);
			speedup = Math.min(speedup, throughput(selection, FOUR, CALLS) / one);
			speedup = Math.min(speedup, throughput(selection, FOUR, FOUR.size() * CALLS) / one);
		}
		this.table.print();
		new ResultLine("keys").add("speedup", speedup, 3).print();
		return 0;
	}

	/** Calls per minute. */
	private double throughput(String selection, List<String> keys, int calls) {
		SimulatorOptions.Builder provider = Experiment.provider();
		StarterStrategy starter = StarterStrategy.DEFAULT.with("key-selection", selection)
			.with("queue.capacity", calls)
			.with("safety-margin", 1.0);
		for (int i = 0; i < keys.size(); i++) {
			String key = keys.get(i);
			provider.account("value-" + key, key);
			starter = starter.with("keys[" + i + "].id", key)
				.with("keys[" + i + "].value", "value-" + key)
				.with("keys[" + i + "].account", key);
		}
		Result result = Experiment.run(provider.build(), Batch.fixed(calls, TOKENS), starter);
		double perMinute = result.success() * calls * 60 / result.makespan();
		this.table.add(selection, keys.size(), calls, format(result.makespan()), format(perMinute), result.refused(),
				format(result.success()));
		return perMinute;
	}

	private static String format(double value) {
		return String.format(Locale.ROOT, "%.2f", value);
	}

}
