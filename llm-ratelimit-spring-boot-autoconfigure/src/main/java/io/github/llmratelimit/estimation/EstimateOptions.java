package io.github.llmratelimit.estimation;

import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.token.TokenEstimator;
import org.jspecify.annotations.Nullable;

/**
 * How the calls to one provider are estimated.
 *
 * @param estimator measures their prompts, {@code null} for the one that measures all
 * @param history how many calls of a model group are remembered; 0 to learn nothing
 * @param expectation which of their answers is expected next
 * @param outputQuantile the quantile that is expected, above 0 and at most 1
 * @param outputFactor how many times its prompt an answer is expected to be long where
 * nothing is known
 * @param reservation what is reserved, {@code null} for what the dialect charges when it
 * admits a call
 */
public record EstimateOptions(@Nullable TokenEstimator estimator, int history, Expectation expectation,
		double outputQuantile, double outputFactor, @Nullable Charge reservation) {

	/** The last 20 calls and their quantile of 0.9. */
	public static final EstimateOptions DEFAULT = new EstimateOptions(null, 20, Expectation.QUANTILE, 0.9, 3, null);

	/**
	 * Which of the remembered answers is expected next.
	 */
	public enum Expectation {

		/** One that few of them were longer than. */
		QUANTILE,

		/** The average one. */
		MEAN

	}

}
