package io.github.llmratelimit;

/**
 * Tokens a call has really used, as the provider counts them against its limits.
 *
 * @param input tokens of the prompt, or all of them if they are not told apart
 * @param output tokens of the answer, 0 if they are not told apart
 * @param split whether the provider tells prompt and answer apart
 */
public record TokenUsage(long input, long output, boolean split) {

	public TokenUsage {
		if (input < 0 || output < 0) {
			throw new IllegalArgumentException("usage: " + input + " + " + output + " (expected: >= 0)");
		}
	}

	/**
	 * What a provider reports who tells prompt and answer apart.
	 * @param input tokens of the prompt
	 * @param output tokens of the answer
	 */
	public TokenUsage(long input, long output) {
		this(input, output, true);
	}

	/**
	 * What a provider reports who does not tell prompt and answer apart.
	 * @param tokens tokens of both
	 * @return the usage
	 */
	public static TokenUsage ofTotal(long tokens) {
		return new TokenUsage(tokens, 0, false);
	}

	/**
	 * Input and output together.
	 * @return tokens
	 */
	public long total() {
		return this.input + this.output;
	}

}
