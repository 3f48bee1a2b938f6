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
	OUTPUT_TOKENS,

	/** Whatever a call states its weight in: images, minutes of sound. */
	UNITS;

	private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

	/**
	 * The name used in properties, meters and the endpoint.
	 * @return for example {@code input-tokens}
	 */
	public String label() {
		return this.label;
	}

	/**
	 * What a call adds to a limit that counts this.
	 * @param tokens the tokens expected of the call
	 * @param units the units that the call states
	 * @return an amount, 0 or more
	 */
	public long of(TokenEstimate tokens, int units) {
		return switch (this) {
			case REQUESTS -> 1;
			case TOKENS -> tokens.total();
			case INPUT_TOKENS -> tokens.input();
			case OUTPUT_TOKENS -> tokens.output();
			case UNITS -> units;
		};
	}

	/**
	 * What a call has really added to a limit that counts this.
	 * @param usage the tokens really used by the call
	 * @param units the units that the call states
	 * @return an amount, 0 or more
	 */
	public long of(TokenUsage usage, int units) {
		return switch (this) {
			case REQUESTS -> 1;
			case TOKENS -> usage.total();
			case INPUT_TOKENS -> usage.input();
			case OUTPUT_TOKENS -> usage.output();
			case UNITS -> units;
		};
	}

	/**
	 * Whether a call adds less to a limit that counts this if its answer is shorter.
	 * @return true if output is counted
	 */
	public boolean includesOutput() {
		return this == TOKENS || this == OUTPUT_TOKENS;
	}

	/**
	 * Whether this counts calls or what they state, of which limits may be small.
	 * @return false if it counts tokens
	 */
	public boolean isPlain() {
		return this == REQUESTS || this == UNITS;
	}

}
