package io.github.llmratelimit;

/**
 * Tokens expected of a call before it is sent.
 *
 * @param input tokens of the prompt
 * @param output tokens reserved for the answer, as far as the provider charges them at
 * admission
 * @param outputIsGuess whether the reserved output is only a guess, which is cut to what
 * a limit can hold instead of making the call unfit
 * @param measuredInput tokens of the prompt as they were measured, before anything that
 * was learned from other calls was applied; 0 if the prompt was not measured
 */
public record TokenEstimate(long input, long output, boolean outputIsGuess, long measuredInput) {

	/** A call that uses no tokens. */
	public static final TokenEstimate NONE = new TokenEstimate(0, 0, false);

	public TokenEstimate {
		requireNotNegative("input", input);
		requireNotNegative("output", output);
		requireNotNegative("measuredInput", measuredInput);
	}

	/**
	 * An estimate of a prompt that was not measured.
	 * @param input tokens of the prompt
	 * @param output tokens reserved for the answer
	 * @param outputIsGuess whether the reserved output is only a guess
	 */
	public TokenEstimate(long input, long output, boolean outputIsGuess) {
		this(input, output, outputIsGuess, 0);
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
		return new TokenEstimate(this.input, output, this.outputIsGuess, this.measuredInput);
	}

	/**
	 * The same estimate of a prompt that was measured.
	 * @param measuredInput tokens of the prompt as they were measured
	 * @return the changed copy
	 */
	public TokenEstimate withMeasuredInput(long measuredInput) {
		return new TokenEstimate(this.input, this.output, this.outputIsGuess, measuredInput);
	}

	private static void requireNotNegative(String field, long value) {
		if (value < 0) {
			throw new IllegalArgumentException(field + ": " + value + " (expected: >= 0)");
		}
	}

}
