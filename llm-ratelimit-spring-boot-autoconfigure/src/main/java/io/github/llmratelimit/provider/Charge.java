package io.github.llmratelimit.provider;

import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.token.RequestFacts;

/**
 * What a provider charges for a request when it admits it.
 */
public enum Charge {

	/** The prompt and the most that may be answered. */
	INPUT_PLUS_MAX_OUTPUT {

		@Override
		long output(long input, long maxOutput) {
			return maxOutput;
		}

	},

	/** The larger of the two. */
	LARGER_OF_INPUT_AND_MAX_OUTPUT {

		@Override
		long output(long input, long maxOutput) {
			return Math.max(0, maxOutput - input);
		}

	};

	/** How much longer an answer is than its prompt, when nobody has said so. */
	private static final int OUTPUT_FACTOR = 3;

	/** The part of the charge that is not input. */
	abstract long output(long input, long maxOutput);

	TokenEstimate estimate(RequestFacts request, long input) {
		Long maxOutput = request.maxOutputTokens();
		if (maxOutput == null) {
			return new TokenEstimate(input, OUTPUT_FACTOR * input * request.choices(), true);
		}
		return new TokenEstimate(input, output(input, maxOutput * request.choices()), false);
	}

}
