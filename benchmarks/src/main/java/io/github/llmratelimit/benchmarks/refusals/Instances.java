package io.github.llmratelimit.benchmarks.refusals;

import java.time.Duration;
import java.util.IntSummaryStatistics;

import io.github.llmratelimit.benchmarks.simulation.Batch;
import io.github.llmratelimit.benchmarks.simulation.Experiment;
import io.github.llmratelimit.benchmarks.simulation.StarterStrategy;
import io.github.llmratelimit.benchmarks.simulation.Strategy;
import io.github.llmratelimit.simulator.Ledger;
import io.github.llmratelimit.simulator.SimulatorOptions;

/**
 * Ten instances of an application that share one account without knowing of each other.
 * Each is configured with a fifth of the limits, so that together they ask for twice as
 * much as there is, and all begin at the same moment.
 *
 * @param ledger what the provider has seen of them
 */
record Instances(Ledger ledger) {

	private static final int COUNT = 10;

	private static final int SHARE = 5;

	private static final int REQUESTS_PER_MINUTE = 600;

	private static final long TOKENS_PER_MINUTE = 1_000_000;

	private static final Duration LENGTH = Duration.ofMinutes(5);

	/** The limits are reached, and the first cooldown ends, within a minute. */
	private static final int BEFORE = 60;

	private static final Batch MORE_THAN_ENOUGH = Batch.fixed(1000, 2000).withClients(50);

	/** The starter with the share of an instance. */
	static final StarterStrategy STARTER = StarterStrategy.DEFAULT
		.with("limits.requests-per-minute", REQUESTS_PER_MINUTE / SHARE)
		.with("limits.tokens-per-minute", TOKENS_PER_MINUTE / SHARE);

	static Instances of(SimulatorOptions.Builder provider, Strategy strategy, long seed) {
		Experiment experiment = new Experiment(
				provider.requestsPerMinute(REQUESTS_PER_MINUTE).tokensPerMinute(TOKENS_PER_MINUTE).seed(seed).build());
		for (int i = 0; i < COUNT; i++) {
			experiment.start(MORE_THAN_ENOUGH, strategy, COUNT * seed + i);
		}
		experiment.advanceBy(LENGTH);
		return new Instances(experiment.ledger());
	}

	/** The most arrivals in one second ÷ their mean, after the first cooldown. */
	double peakToMean() {
		IntSummaryStatistics arrivals = this.ledger.arrivalsPerSecond()
			.stream()
			.skip(BEFORE)
			.mapToInt(Integer::intValue)
			.summaryStatistics();
		return arrivals.getMax() / arrivals.getAverage();
	}

}
