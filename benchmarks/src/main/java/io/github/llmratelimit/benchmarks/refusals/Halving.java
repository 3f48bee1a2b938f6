package io.github.llmratelimit.benchmarks.refusals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.github.llmratelimit.benchmarks.simulation.Batch;
import io.github.llmratelimit.benchmarks.simulation.Experiment;
import io.github.llmratelimit.benchmarks.simulation.Strategy;
import io.github.llmratelimit.simulator.Ledger;
import io.github.llmratelimit.simulator.SimulatorOptions;

/**
 * A provider that halves its limits for twenty minutes, and never lacks calls.
 *
 * @param before refusals before it does so
 * @param refused refusals while they are halved
 * @param after refusals after they have been restored
 * @param utilization share of the halved limit that was used; above 1 by what the bucket
 * still held
 * @param regained seconds from the restoring to the middle of the first half minute in
 * which 90 % of the whole limit was used; infinite if there is none
 */
record Halving(long before, long refused, long after, double utilization, double regained) {

	private static final Duration HALVED_AT = Duration.ofMinutes(10);

	private static final Duration HALVED_FOR = Duration.ofMinutes(20);

	private static final int WATCHED_SECONDS = 1800;

	private static final int SPAN_SECONDS = 30;

	private static final double MOST = 0.9;

	private static final int TOKENS = 2000;

	private static final Batch MORE_THAN_ENOUGH = Batch.fixed(5000, TOKENS).withClients(100);

	static Halving of(SimulatorOptions options, Strategy strategy) {
		Experiment experiment = new Experiment(options);
		experiment.start(MORE_THAN_ENOUGH, strategy, options.seed());
		experiment.advanceBy(HALVED_AT);
		Ledger before = experiment.ledger();
		divideLimits(experiment, 2);
		experiment.advanceBy(HALVED_FOR);
		Ledger halved = experiment.ledger();
		divideLimits(experiment, 1);
		List<Integer> accepted = acceptedEachSecond(experiment);
		return new Halving(before.refused(), halved.refused() - before.refused(),
				experiment.ledger().refused() - halved.refused(),
				(halved.accepted() - before.accepted()) / (callsIn(HALVED_FOR) / 2), regained(accepted));
	}

	private static void divideLimits(Experiment experiment, int by) {
		experiment.changeLimits((limits) -> limits.requestsPerMinute(Experiment.REQUESTS_PER_MINUTE / by)
			.tokensPerMinute(Experiment.TOKENS_PER_MINUTE / by));
	}

	private static double callsIn(Duration time) {
		return (double) Experiment.TOKENS_PER_MINUTE / TOKENS * time.toSeconds() / 60;
	}

	/** How many calls had been accepted in all at the end of each second. */
	private static List<Integer> acceptedEachSecond(Experiment experiment) {
		List<Integer> accepted = new ArrayList<>(List.of(experiment.ledger().accepted()));
		for (int second = 0; second < WATCHED_SECONDS; second++) {
			experiment.advanceBy(Duration.ofSeconds(1));
			accepted.add(experiment.ledger().accepted());
		}
		return accepted;
	}

	private static double regained(List<Integer> accepted) {
		double enough = MOST * callsIn(Duration.ofSeconds(SPAN_SECONDS));
		for (int end = SPAN_SECONDS; end < accepted.size(); end++) {
			if (accepted.get(end) - accepted.get(end - SPAN_SECONDS) >= enough) {
				return end - SPAN_SECONDS / 2.0;
			}
		}
		return Double.POSITIVE_INFINITY;
	}

	/** The worst of several runs, value by value. */
	static Halving worst(List<Halving> runs) {
		return new Halving((long) max(runs, Halving::before), (long) max(runs, Halving::refused),
				(long) max(runs, Halving::after), -max(runs, (run) -> -run.utilization()),
				max(runs, Halving::regained));
	}

	private static double max(List<Halving> runs, ToDoubleFunction<Halving> value) {
		return runs.stream().mapToDouble(value).max().orElseThrow();
	}

}
