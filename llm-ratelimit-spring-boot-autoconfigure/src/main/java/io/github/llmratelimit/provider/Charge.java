package io.github.llmratelimit.provider;

import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.token.RequestFacts;

/**
 * What a provider charges for a request when it admits it.
 */
public enum Charge {

	/** The prompt and the most that may be answered. */
	INPUT_PLUS_MAX_OUTPUT,

	/** The prompt, and as much of an answer as is likely, however long it may be. */
	INPUT_PLUS_LIKELY_OUTPUT {

		@Override
		TokenEstimate estimate(RequestFacts request, long input) {
			Long maxOutput = request.maxOutputTokens();
			long likely = likelyOutput(request, input);
			return new TokenEstimate(input,
					(maxOutput != null) ? Math.min(likely, maxOutput * request.choices()) : likely, true);
		}

	},

	/** The prompt alone. */
	INPUT {

		@Override
		TokenEstimate estimate(RequestFacts request, long input) {
			return new TokenEstimate(input, 0, false);
		}

	},

	/** The larger of prompt and most of the answer. */
	LARGER_OF_INPUT_AND_MAX_OUTPUT {

		@Override
		long output(long input, long maxOutput) {
			return Math.max(0, maxOutput - input);
		}

	};

	/** How much longer an answer is than its prompt, when nobody has said so. */
	private static final int OUTPUT_FACTOR = 3;

	/** The part of the charge that is not input. */
	long output(long input, long maxOutput) {
		return maxOutput;
	}

	TokenEstimate estimate(RequestFacts request, long input) {
		Long maxOutput = request.maxOutputTokens();
		if (maxOutput == null) {
			return new TokenEstimate(input, likelyOutput(request, input), true);
		}
		return new TokenEstimate(input, output(input, maxOutput * request.choices()), false);
	}

	private static long likelyOutput(RequestFacts request, long input) {
		return OUTPUT_FACTOR * input * request.choices();
	}

}
