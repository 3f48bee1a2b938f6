package io.github.llmratelimit.benchmarks.priorities;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

import io.github.llmratelimit.benchmarks.Arguments;
import io.github.llmratelimit.benchmarks.Benchmark;
import io.github.llmratelimit.benchmarks.MarkdownTable;
import io.github.llmratelimit.benchmarks.Median;
import io.github.llmratelimit.benchmarks.ResultLine;

/**
 * Interactive calls beside 2000 batch calls against 60 requests and 100,000 tokens per
 * minute: how long they wait, and how much of the limits is used. Deterministic: all time
 * is virtual, all chance has a seed. Every row shows the median of several seeds.
 */
public final class PrioritiesBenchmark implements Benchmark {

	private static final Arrivals SINGLES = new Arrivals(10, 1);

	private static final Arrivals BURSTS = new Arrivals(2, 5);

	private static final Policy DEFAULT = Policy.headroom(10);

	private int seeds;

	@Override
	public int run(Arguments arguments) {
		this.seeds = arguments.number("seeds", arguments.isQuick() ? 3 : 5);
		List<Outcome> singles = table("Ten interactive calls a minute", SINGLES, arguments.isQuick());
		List<Outcome> bursts = table("Bursts of five interactive calls, two a minute", BURSTS, arguments.isQuick());
		new ResultLine("priorities").add("interactive-p99-s", p99(singles), 2)
			.add("utilization", median(singles, Outcome::utilization), 4)
			.add("bursts-p99-s", p99(bursts), 2)
			.print();
		return 0;
	}

	/** Returns the outcomes of the default. */
	private List<Outcome> table(String title, Arrivals arrivals, boolean quick) {
		MarkdownTable table = new MarkdownTable(title, "policy", "p50 s", "p99 s", "max s", "utilization",
				"batch calls sent in 40 min", "429s");
		List<Policy> rivals = quick ? List.of() : List.of(Policy.FIFO, Policy.PRIORITIES, Policy.headroom(25));
		rivals.forEach((policy) -> add(table, policy, outcomes(policy, arrivals)));
		List<Outcome> ofDefault = outcomes(DEFAULT, arrivals);
		add(table, DEFAULT, ofDefault);
		table.print();
		return ofDefault;
	}

	private List<Outcome> outcomes(Policy policy, Arrivals arrivals) {
		return LongStream.range(0, this.seeds).mapToObj((seed) -> Mix.run(policy, arrivals, seed)).toList();
	}

	private static void add(MarkdownTable table, Policy policy, List<Outcome> outcomes) {
		table.add(policy.name(), seconds(median(outcomes, (outcome) -> outcome.waitOf(0.5))), seconds(p99(outcomes)),
				seconds(median(outcomes, (outcome) -> outcome.waitOf(1))),
				String.format(Locale.ROOT, "%.4f", median(outcomes, Outcome::utilization)),
				(int) median(outcomes, Outcome::batchSent), (int) median(outcomes, Outcome::refused));
	}

	private static double p99(List<Outcome> outcomes) {
		return median(outcomes, (outcome) -> outcome.waitOf(0.99));
	}

	private static double median(List<Outcome> outcomes, ToDoubleFunction<Outcome> value) {
		return Median.of(outcomes, value);
	}

	private static String seconds(double value) {
		return String.format(Locale.ROOT, "%.2f", value);
	}

}
