package io.github.llmratelimit.benchmarks.exchange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.github.llmratelimit.benchmarks.MarkdownTable;
import io.github.llmratelimit.benchmarks.Median;
import io.github.llmratelimit.benchmarks.exchange.Load.Sample;

/**
 * Rounds over all variants with one prompt. Each round begins with another variant, and
 * ratios are taken within a round, so that a change in the machine's speed meets all of
 * them. Not thread-safe.
 */
final class Series {

	private final Prompt prompt;

	private final List<Variant> variants;

	private final int inFlight;

	private final Duration length;

	private final List<Map<String, Sample>> rounds = new ArrayList<>();

	Series(Prompt prompt, List<Variant> variants, int inFlight, Duration length) {
		this.prompt = prompt;
		this.variants = variants;
		this.inFlight = inFlight;
		this.length = length;
	}

	void warmUp(int rounds) {
		add(rounds);
		this.rounds.clear();
	}

	void add(int rounds) {
		for (int i = 0; i < rounds; i++) {
			this.rounds.add(round(this.rounds.size()));
		}
	}

	private Map<String, Sample> round(int first) {
		Map<String, Sample> samples = new HashMap<>();
		for (int i = 0; i < this.variants.size(); i++) {
			Variant variant = this.variants.get((first + i) % this.variants.size());
			samples.put(variant.name(), Load.run(variant, this.prompt, this.inFlight, this.length));
		}
		return samples;
	}

	double rateRatio(String variant) {
		return ratio(variant, Sample::rate);
	}

	double cpuRatio(String variant) {
		return ratio(variant, Sample::cpu);
	}

	private double ratio(String variant, ToDoubleFunction<Sample> value) {
		return Median.of(this.rounds, (round) -> value(round, variant, value) / value(round, Variants.NONE, value));
	}

	private double median(String variant, ToDoubleFunction<Sample> value) {
		return Median.of(this.rounds, (round) -> value(round, variant, value));
	}

	private static double value(Map<String, Sample> round, String variant, ToDoubleFunction<Sample> value) {
		Sample sample = round.get(variant);
		return (sample != null) ? value.applyAsDouble(sample) : Double.NaN;
	}

	void print() {
		MarkdownTable table = new MarkdownTable(
				"prompt %d B, %d in flight, %d rounds of %d ms".formatted(this.prompt.bytes(), this.inFlight,
						this.rounds.size(), this.length.toMillis()),
				"filter", "requests/s", "ratio", "CPU µs/request", "CPU ratio", "p50 µs", "p99 µs");
		for (Variant variant : this.variants) {
			String name = variant.name();
			table.add(name, format("%.0f", median(name, Sample::rate)), format("%.3f", rateRatio(name)),
					format("%.1f", median(name, Sample::cpu)), format("%.3f", cpuRatio(name)),
					format("%.0f", median(name, Sample::p50)), format("%.0f", median(name, Sample::p99)));
		}
		table.print();
	}

	private static String format(String format, double value) {
		return String.format(Locale.ROOT, format, value);
	}

}
