package io.github.llmratelimit;

/**
 * Tokens a call has really used, as the provider counts them against its limits.
 *
 * @param input tokens of the prompt
 * @param output tokens of the answer
 */
public record TokenUsage(long input, long output) {

	public TokenUsage {
		if (input < 0 || output < 0) {
			throw new IllegalArgumentException("usage: " + input + " + " + output + " (expected: >= 0)");
		}
	}

	/**
	 * Input and output together.
	 * @return tokens
	 */
	public long total() {
		return this.input + this.output;
	}

}
