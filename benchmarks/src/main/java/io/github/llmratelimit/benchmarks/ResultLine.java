package io.github.llmratelimit.benchmarks;

import java.util.Locale;

/**
 * The last line of a benchmark: its name and its values. Not thread-safe.
 */
public final class ResultLine {

	private final StringBuilder line;

	/**
	 * Begin a line.
	 * @param name name of the benchmark
	 */
	public ResultLine(String name) {
		this.line = new StringBuilder(name);
	}

	/**
	 * Add a number with decimals.
	 * @param name its name
	 * @param value its value
	 * @param decimals how many decimals
	 * @return this
	 */
	public ResultLine add(String name, double value, int decimals) {
		return add(name, String.format(Locale.ROOT, "%." + decimals + "f", value));
	}

	/**
	 * Add a whole number.
	 * @param name its name
	 * @param value its value
	 * @return this
	 */
	public ResultLine add(String name, long value) {
		return add(name, Long.toString(value));
	}

	/**
	 * Add a text.
	 * @param name its name
	 * @param value its value, without spaces
	 * @return this
	 */
	public ResultLine add(String name, String value) {
		this.line.append(' ').append(name).append('=').append(value);
		return this;
	}

	/** Print the line. */
	public void print() {
		System.out.println();
		System.out.println(this.line);
	}

}
