package io.github.llmratelimit;

import java.util.Locale;

/**
 * What a limit counts.
 */
public enum Counted {

	/** Calls, one each. */
	REQUESTS,

	/** Input and output tokens together. */
	TOKENS,

	/** Tokens sent to the model. */
	INPUT_TOKENS,

	/** Tokens produced by the model. */
	OUTPUT_TOKENS;

	private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

	/**
	 * The name used in properties, meters and the endpoint.
	 * @return for example {@code input-tokens}
	 */
	public String label() {
		return this.label;
	}

	/**
	 * What a call with this estimate adds to a limit that counts this.
	 * @param tokens the tokens expected of the call
	 * @return an amount, 0 or more
	 */
	public long of(TokenEstimate tokens) {
		return switch (this) {
			case REQUESTS -> 1;
			case TOKENS -> tokens.total();
			case INPUT_TOKENS -> tokens.input();
			case OUTPUT_TOKENS -> tokens.output();
		};
	}

	/**
	 * What a call with this usage has really added to a limit that counts this.
	 * @param usage the tokens really used by the call
	 * @return an amount, 0 or more
	 */
	public long of(TokenUsage usage) {
		return switch (this) {
			case REQUESTS -> 1;
			case TOKENS -> usage.total();
			case INPUT_TOKENS -> usage.input();
			case OUTPUT_TOKENS -> usage.output();
		};
	}

}
