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
		public TokenEstimate estimate(RequestFacts request, TokenEstimate expected) {
			return expected;
		}

	},

	/** The prompt alone. */
	INPUT {

		@Override
		public TokenEstimate estimate(RequestFacts request, TokenEstimate expected) {
			return TokenEstimate.of(expected.input(), 0);
		}

	},

	/** The larger of prompt and most of the answer. */
	LARGER_OF_INPUT_AND_MAX_OUTPUT {

		@Override
		long output(long input, long maxOutput) {
			return Math.max(0, maxOutput - input);
		}

	};

	/** The part of the charge that is not input. */
	long output(long input, long maxOutput) {
		return maxOutput;
	}

	/**
	 * The charge for a request.
	 * @param request what is known of the request
	 * @param expected what it is expected to use, no more than it may
	 * @return the charge; what is expected where the request does not bound its output
	 */
	public TokenEstimate estimate(RequestFacts request, TokenEstimate expected) {
		Long maxOutput = request.maxOutputTokens();
		return (maxOutput != null)
				? TokenEstimate.of(expected.input(), output(expected.input(), maxOutput * request.choices()))
				: expected;
	}

}
