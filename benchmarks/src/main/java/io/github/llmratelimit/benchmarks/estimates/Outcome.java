package io.github.llmratelimit.benchmarks.estimates;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.llmratelimit.benchmarks.simulation.Strategy;
import io.github.llmratelimit.benchmarks.simulation.VirtualTime;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;

import org.springframework.web.reactive.function.client.WebClient;

/**
 * How the calls ended.
 *
 * @param ratio the time that they took by the shortest time possible
 * @param refused refusals by the provider
 * @param success share of the calls that were answered
 */
record Outcome(double ratio, long refused, double success) {

	private static final Duration LONGEST = Duration.ofHours(4);

	static Outcome of(Calls calls, SimulatorOptions options, Strategy strategy) {
		VirtualTime time = new VirtualTime();
		SimulatedExchange provider = new SimulatedExchange(options, time.scheduler());
		WebClient.Builder client = WebClient.builder().exchangeFunction(provider);
		strategy.prepare(client, time, options.seed());
		AtomicInteger answered = new AtomicInteger();
		long[] last = new long[1];
		calls.send(client).subscribe((answer) -> {
			answered.incrementAndGet();
			last[0] = time.nanoTime();
		});
		time.advanceBy(LONGEST);
		return new Outcome(last[0] / 1e9 / calls.bound(options).seconds(), provider.ledger().refused(),
				(double) answered.get() / calls.outputs().length);
	}

	/** An outcome that none of these is worse than. */
	static Outcome worst(List<Outcome> outcomes) {
		return outcomes.stream()
			.reduce((one, other) -> new Outcome(Math.max(one.ratio, other.ratio), Math.max(one.refused, other.refused),
					Math.min(one.success, other.success)))
			.orElseThrow();
	}

}
