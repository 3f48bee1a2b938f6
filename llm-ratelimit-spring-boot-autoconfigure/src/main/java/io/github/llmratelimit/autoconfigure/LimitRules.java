package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.DailyReset;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitLearning;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.autoconfigure.LimitsProperties.Named;
import io.github.llmratelimit.autoconfigure.LimitsProperties.Window;
import io.github.llmratelimit.autoconfigure.ProviderProperties.Algorithm;
import io.github.llmratelimit.provider.ProviderDialect;
import org.jspecify.annotations.Nullable;

/**
 * What all limits of a provider have in common, and how its limits follow from the
 * properties.
 *
 * @param dialect says how the provider counts
 * @param algorithm says otherwise
 * @param margin share of each limit that is used
 * @param slack what windows are widened by
 * @param burst time whose worth may go at once, {@code null} for all of a limit
 */
record LimitRules(ProviderDialect dialect, Algorithm algorithm, double margin, Duration slack,
		@Nullable Duration burst) {

	/** A window is widened by its length divided by this at most. */
	private static final int SLACK_PARTS = 50;

	LimitLearning learning() {
		return new LimitLearning(this.dialect.separatesModels(), this::announced);
	}

	private Limit announced(Counted counts, long amount, Duration per) {
		return limit(LimitsProperties.keyOf(counts, per), counts, amount, per);
	}

	LimitPlan plan(LimitsProperties properties) {
		List<Limit> limits = new ArrayList<>();
		for (Named named : LimitsProperties.NAMED) {
			Long amount = named.in(properties);
			if (amount != null) {
				limits.add(limit(named.key(), named.counts(), amount, named.per()));
			}
		}
		properties.windows().forEach((window) -> limits.add(limit(window)));
		return new LimitPlan(limits, properties.maxConcurrency());
	}

	private Limit limit(String name, Counted counts, long amount, Duration per) {
		return new Limit(name, counts, amount, per, algorithmFor(counts), this.margin, slackOf(per), burstOf(per),
				null);
	}

	private Limit limit(Window window) {
		Counted counts = Objects.requireNonNull(window.counts());
		Duration per = Objects.requireNonNull(window.per());
		DailyReset reset = (window.resetsAt() != null) ? ResetTime.parse(window.resetsAt()) : null;
		return new Limit(nameOf(counts, per), counts, Objects.requireNonNull(window.limit()), per,
				algorithmOf(window, counts), this.margin, (window.slack() != null) ? window.slack() : slackOf(per),
				burstOf(per), reset);
	}

	static String nameOf(Counted counts, Duration per) {
		return counts.label() + "-per-" + ShortDuration.print(per);
	}

	private LimitAlgorithm algorithmOf(Window window, Counted counts) {
		if (window.resetsAt() != null) {
			return LimitAlgorithm.FIXED_WINDOW;
		}
		return (window.algorithm() != null) ? window.algorithm() : algorithmFor(counts);
	}

	private LimitAlgorithm algorithmFor(Counted counts) {
		LimitAlgorithm configured = counts.isPlain() ? this.algorithm.requests() : this.algorithm.tokens();
		return (configured != null) ? configured : this.dialect.algorithm(counts);
	}

	private Duration slackOf(Duration per) {
		Duration most = per.dividedBy(SLACK_PARTS);
		return (this.slack.compareTo(most) < 0) ? this.slack : most;
	}

	private @Nullable Duration burstOf(Duration per) {
		return (per.compareTo(Limit.LONGEST_RATE) <= 0) ? this.burst : null;
	}

}
