package io.github.llmratelimit.benchmarks.waiters;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.github.llmratelimit.benchmarks.Arguments;
import io.github.llmratelimit.benchmarks.Benchmark;
import io.github.llmratelimit.benchmarks.Control;
import io.github.llmratelimit.benchmarks.MarkdownTable;
import io.github.llmratelimit.benchmarks.Median;
import io.github.llmratelimit.benchmarks.ResultLine;
import io.github.llmratelimit.benchmarks.waiters.Contender.Factory;

/**
 * A thousand, a hundred thousand and a million calls that wait, beside one
 * {@code Mono.delay} for each and the Reactor operator of Resilience4j: bytes, timers,
 * CPU time to wake, and what is left of those that are cancelled.
 */
public final class WaitersBenchmark implements Benchmark {

	private static final String OURS = "ours";

	private static final String AGAIN = "ours (again)";

	private static final String RESILIENCE4J = "Resilience4j";

	private static final Map<String, Factory> CONTENDERS = new LinkedHashMap<>();

	static {
		CONTENDERS.put(OURS, (waiters, begin, within) -> new Ours(waiters, begin, within, false));
		CONTENDERS.put("ours, a description for each call",
				(waiters, begin, within) -> new Ours(waiters, begin, within, true));
		CONTENDERS.put("Mono.delay", Delays::new);
		CONTENDERS.put(RESILIENCE4J, Resilience4j::new);
		CONTENDERS.put(AGAIN, (waiters, begin, within) -> new Ours(waiters, begin, within, false));
	}

	@Override
	public int run(Arguments arguments) throws InterruptedException {
		List<Integer> counts = arguments.isQuick() ? List.of(1000) : List.of(1000, 100_000, 1_000_000);
		int largest = arguments.number("count", counts.get(counts.size() - 1));
		int rounds = arguments.number("rounds", arguments.isQuick() ? 1 : 3);
		Map<String, List<Crowd>> crowds = Map.of();
		for (int count : counts) {
			if (count <= largest) {
				crowds = table(count, rounds);
			}
		}
		double cancelled = cancelled(Math.min(largest, 100_000));
		double exchange = ExchangeCrowd.bytes(Math.min(largest, 100_000));
		double wake = median(crowds, OURS, Crowd::wakeNanos);
		Control control = new Control(median(crowds, AGAIN, Crowd::wakeNanos) / wake, !arguments.isQuick());
		control.print();
		new ResultLine("waiters").add("count", largest)
			.add("bytes-per-waiter", Math.round(median(crowds, OURS, Crowd::bytes)))
			.add("wake-cpu", wake / median(crowds, RESILIENCE4J, Crowd::wakeNanos), 3)
			.add("cancelled-bytes", Math.round(cancelled))
			.add("timers", Math.round(median(crowds, OURS, Crowd::timers)))
			.add("bytes-per-exchange-waiter", Math.round(exchange))
			.print();
		return control.exitCode();
	}

	private static Map<String, List<Crowd>> table(int count, int rounds) throws InterruptedException {
		Map<String, List<Crowd>> crowds = new LinkedHashMap<>();
		for (int round = -1; round < rounds; round++) {
			for (Map.Entry<String, Factory> contender : CONTENDERS.entrySet()) {
				boolean warmUp = round < 0;
				Crowd crowd = Crowd.of(contender.getValue(), warmUp ? Math.min(count, 20_000) : count);
				if (!warmUp) {
					crowds.computeIfAbsent(contender.getKey(), (name) -> new ArrayList<>()).add(crowd);
				}
			}
		}
		MarkdownTable table = new MarkdownTable(
				String.format(Locale.ROOT, "%,d calls wait (%d rounds, medians)", count, rounds), "", "bytes each",
				"timers", "CPU ns to wake each");
		crowds.forEach((name, ofName) -> table.add(name, format(median(crowds, name, Crowd::bytes)),
				format(median(crowds, name, Crowd::timers)), format(median(crowds, name, Crowd::wakeNanos))));
		table.print();
		return crowds;
	}

	/** Returns what ours leave behind. */
	private static double cancelled(int count) {
		MarkdownTable table = new MarkdownTable(String.format(Locale.ROOT, "%,d calls are cancelled", count), "",
				"bytes that each leaves behind");
		Map<String, Double> left = new LinkedHashMap<>();
		CONTENDERS.forEach((name, contender) -> left.put(name, Crowd.cancelled(contender, count)));
		left.forEach((name, bytes) -> table.add(name, format(bytes)));
		table.print();
		return left.getOrDefault(OURS, Double.NaN);
	}

	private static double median(Map<String, List<Crowd>> crowds, String name, ToDoubleFunction<Crowd> value) {
		return Median.of(crowds.getOrDefault(name, List.of()), value);
	}

	private static String format(double value) {
		return String.format(Locale.ROOT, "%,.0f", value);
	}

}
