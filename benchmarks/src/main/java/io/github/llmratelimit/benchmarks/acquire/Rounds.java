package io.github.llmratelimit.benchmarks.acquire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.llmratelimit.benchmarks.MarkdownTable;
import io.github.llmratelimit.benchmarks.Median;
import io.github.llmratelimit.benchmarks.Sample;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Many short rounds over all operations, each beginning with another one. Ratios are
 * taken within a round, so that a change in the machine's speed meets all of them.
 *
 * @param threads how many threads work at once
 * @param operations what is measured, ours first
 * @param rounds the rounds
 */
record Rounds(int threads, List<String> operations, List<Map<String, Sample>> rounds) {

	private static final int WARM_UPS = 20;

	static Rounds of(int threads, List<String> operations) {
		return new Rounds(threads, operations, new ArrayList<>());
	}

	void warmUp(int millis) throws RunnerException {
		for (String operation : this.operations) {
			Sample.of(operation, this.threads, millis, WARM_UPS);
		}
	}

	void add(int millis) throws RunnerException {
		Map<String, Sample> round = new HashMap<>();
		int first = this.rounds.size();
		for (int i = 0; i < this.operations.size(); i++) {
			String operation = this.operations.get((first + i) % this.operations.size());
			round.put(operation, Sample.of(operation, this.threads, millis, 0));
		}
		this.rounds.add(round);
	}

	double bytes(String operation) {
		return Median.of(this.rounds, (round) -> sample(round, operation).bytes());
	}

	/** Median of the ratios within each round. */
	double ratio(String operation, String to) {
		return Median.of(this.rounds, (round) -> nanos(round, operation) / nanos(round, to));
	}

	void print() {
		MarkdownTable table = new MarkdownTable(
				"%d thread(s), %d rounds, medians".formatted(this.threads, this.rounds.size()), "operation", "ns/op",
				"best ns/op", "ours ÷ it", "B/op");
		for (String operation : this.operations) {
			double best = this.rounds.stream().mapToDouble((round) -> nanos(round, operation)).min().orElseThrow();
			table.add(operation, format("%.1f", Median.of(this.rounds, (round) -> nanos(round, operation))),
					format("%.1f", best), format("%.3f", ratio(this.operations.get(0), operation)),
					format("%.1f", bytes(operation)));
		}
		table.print();
	}

	private static double nanos(Map<String, Sample> round, String operation) {
		return sample(round, operation).nanos();
	}

	private static Sample sample(Map<String, Sample> round, String operation) {
		return round.getOrDefault(operation, new Sample(Double.NaN, Double.NaN));
	}

	private static String format(String format, double value) {
		return String.format(Locale.ROOT, format, value);
	}

}
