package io.github.llmratelimit;

import java.util.Locale;

/**
 * How a limit counts over time.
 */
public enum LimitAlgorithm {

	/**
	 * Counts what the last window saw: never more than the limit in any window, wherever
	 * it begins.
	 */
	SLIDING_WINDOW,

	/**
	 * A bucket that holds one window's worth and is refilled continuously; up to twice
	 * the limit can pass in a window, so it is used where the provider runs one.
	 */
	TOKEN_BUCKET,

	/** Counts from reset to reset, at fixed moments of the wall clock. */
	FIXED_WINDOW;

	private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

	/**
	 * The name used in properties and the endpoint.
	 * @return for example {@code sliding-window}
	 */
	public String label() {
		return this.label;
	}

}
