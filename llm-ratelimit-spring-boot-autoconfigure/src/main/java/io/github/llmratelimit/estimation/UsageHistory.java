package io.github.llmratelimit.estimation;

import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.estimation.EstimateOptions.Expectation;
import org.jspecify.annotations.Nullable;

/**
 * What the last calls of one model group have used, and what the next one can be expected
 * to use. Thread-safe: adding takes a short lock, asking takes none.
 */
final class UsageHistory {

	/** So many calls are no accident. */
	private static final int ENOUGH = 5;

	/*
	 * Beyond these it is not the estimate that is wrong: input came from a cache, or was
	 * added by the provider, and the next call may be another one.
	 */
	private static final double LOWEST_FACTOR = 0.5;

	private static final double HIGHEST_FACTOR = 2;

	private final EstimateOptions options;

	private final RecentValues inputFactors;

	private final RecentValues outputs;

	private volatile double inputFactor = 1;

	private volatile @Nullable Long output;

	UsageHistory(EstimateOptions options) {
		this.options = options;
		this.inputFactors = new RecentValues(options.history());
		this.outputs = new RecentValues(options.history());
	}

	synchronized void add(TokenEstimate estimate, TokenUsage usage) {
		this.outputs.add(usage.output());
		this.output = (long) Math.ceil((this.options.expectation() == Expectation.MEAN) ? this.outputs.mean()
				: this.outputs.quantile(this.options.outputQuantile()));
		if (estimate.measuredInput() > 0 && usage.input() > 0) {
			this.inputFactors.add((double) usage.input() / estimate.measuredInput());
			this.inputFactor = (this.inputFactors.size() < ENOUGH) ? 1 : bounded(this.inputFactors.quantile(0.5));
		}
	}

	private static double bounded(double factor) {
		return Math.min(HIGHEST_FACTOR, Math.max(LOWEST_FACTOR, factor));
	}

	/** What to multiply the next measured prompt by: the median of what was right. */
	double inputFactor() {
		return this.inputFactor;
	}

	/** The tokens that an answer can be expected to have, {@code null} if unknown. */
	@Nullable Long output() {
		return this.output;
	}

}
