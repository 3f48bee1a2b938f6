package io.github.llmratelimit;

/**
 * Tokens expected of a call before it is sent.
 *
 * @param input tokens of the prompt
 * @param output tokens reserved for the answer, as far as the provider charges them at
 * admission
 * @param outputIsGuess whether the reserved output is only a guess, which is cut to what
 * a limit can hold instead of making the call unfit
 */
public record TokenEstimate(long input, long output, boolean outputIsGuess) {

	/** A call that uses no tokens. */
	public static final TokenEstimate NONE = new TokenEstimate(0, 0, false);

	public TokenEstimate {
		requireNotNegative("input", input);
		requireNotNegative("output", output);
	}

	/**
	 * An estimate whose output is known to be charged.
	 * @param input tokens of the prompt
	 * @param output tokens reserved for the answer
	 * @return the estimate
	 */
	public static TokenEstimate of(long input, long output) {
		return new TokenEstimate(input, output, false);
	}

	/**
	 * Input and output together.
	 * @return tokens
	 */
	public long total() {
		return this.input + this.output;
	}

	/**
	 * The same estimate with less output reserved.
	 * @param output tokens reserved for the answer
	 * @return the changed copy
	 */
	public TokenEstimate withOutput(long output) {
		return new TokenEstimate(this.input, output, this.outputIsGuess);
	}

	private static void requireNotNegative(String field, long value) {
		if (value < 0) {
			throw new IllegalArgumentException(field + ": " + value + " (expected: >= 0)");
		}
	}

}
