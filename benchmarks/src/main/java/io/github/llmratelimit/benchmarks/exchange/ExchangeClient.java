package io.github.llmratelimit.benchmarks.exchange;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.github.llmratelimit.benchmarks.Arguments;
import io.github.llmratelimit.benchmarks.Control;
import io.github.llmratelimit.benchmarks.ResultLine;

/**
 * Measures all clients against a server and prints what came out.
 */
public final class ExchangeClient {

	private static final int SMALL = 600;

	private static final int LARGE = 32_000;

	private static final int IN_FLIGHT = 32;

	private final Variants variants;

	private final Arguments arguments;

	private ExchangeClient(Variants variants, Arguments arguments) {
		this.variants = variants;
		this.arguments = arguments;
	}

	/**
	 * Run the client.
	 * @param args the port of the server, then the options
	 */
	public static void main(String[] args) {
		List<String> all = Arrays.asList(args);
		URI server = URI.create("http://127.0.0.1:" + all.get(0));
		Arguments arguments = Arguments.of(all.subList(1, all.size()));
		System.exit(new ExchangeClient(new Variants(server, IN_FLIGHT), arguments).run());
	}

	private int run() {
		int rounds = this.arguments.number("rounds", this.arguments.isQuick() ? 1 : 15);
		Series small = series(SMALL);
		Series large = series(LARGE);
		Control control = Control.repeat(this.arguments, () -> {
			small.add(rounds);
			large.add(rounds);
			return worst(small.rateRatio(Variants.NONE_AGAIN), small.cpuRatio(Variants.NONE_AGAIN),
					large.rateRatio(Variants.NONE_AGAIN));
		});
		small.print();
		large.print();
		control.print();
		new ResultLine("exchange").add("small", small.rateRatio(Variants.OURS), 3)
			.add("large", large.rateRatio(Variants.OURS), 3)
			.add("cpu", small.cpuRatio(Variants.OURS), 3)
			.print();
		return control.exitCode();
	}

	private Series series(int bytes) {
		boolean quick = this.arguments.isQuick();
		int millis = this.arguments.number("millis", quick ? 200 : 1000);
		Prompt prompt = Prompt.of(bytes);
		Series series = new Series(prompt, this.variants.forPrompt(prompt), IN_FLIGHT, Duration.ofMillis(millis));
		series.warmUp(this.arguments.number("warm-up", quick ? 1 : 5));
		return series;
	}

	/* The one that is farthest from 1. */
	private static double worst(double... ratios) {
		double worst = 1;
		for (double ratio : ratios) {
			worst = (Math.abs(ratio - 1) > Math.abs(worst - 1)) ? ratio : worst;
		}
		return worst;
	}

}
