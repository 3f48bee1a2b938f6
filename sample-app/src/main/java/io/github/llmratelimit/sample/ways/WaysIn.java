package io.github.llmratelimit.sample.ways;

import java.io.PrintStream;
import java.util.List;
import java.util.Objects;

import io.github.llmratelimit.simulator.ProviderSimulator;
import reactor.core.publisher.Flux;

/**
 * Runs every way in, one after another, and compares what was called with what the
 * provider has seen and what the limiter has counted.
 */
class WaysIn {

	private final List<WayIn> ways;

	private final int calls;

	private final ProviderSimulator provider;

	private final CompletedCalls completed;

	/**
	 * Create a run.
	 * @param ways the ways in
	 * @param calls how many calls go each way, all at once
	 * @param provider the provider
	 * @param completed what the limiter has counted
	 */
	WaysIn(List<WayIn> ways, int calls, ProviderSimulator provider, CompletedCalls completed) {
		this.ways = ways;
		this.calls = calls;
		this.provider = provider;
		this.completed = completed;
	}

	/**
	 * Run.
	 * @param out where the results are shown
	 * @return whether each call was counted once
	 */
	boolean run(PrintStream out) {
		out.printf("%-36s %6s %9s %8s%n", "way in", "calls", "requests", "counted");
		boolean once = true;
		for (WayIn way : this.ways) {
			once &= run(way, out);
		}
		out.printf("ways-in ways=%d calls=%d requests=%d refused=%d counted-once=%d%n", this.ways.size(),
				this.ways.size() * this.calls, requests(), this.provider.ledger().refused(), once ? 1 : 0);
		return once;
	}

	private boolean run(WayIn way, PrintStream out) {
		int requestsBefore = requests();
		int countedBefore = this.completed.sent();
		int answered = Objects
			.requireNonNull(Flux.range(1, this.calls)
				.flatMap((number) -> way.ask("How much is " + number + " plus " + number + "?"), this.calls)
				.filter((answer) -> !answer.isEmpty())
				.count()
				.block())
			.intValue();
		int requests = requests() - requestsBefore;
		int counted = this.completed.sent() - countedBefore;
		out.printf("%-36s %6d %9d %8d%n", way.name(), answered, requests, counted);
		return answered == this.calls && requests == this.calls && counted == this.calls;
	}

	private int requests() {
		return this.provider.ledger().arrivals();
	}

}
