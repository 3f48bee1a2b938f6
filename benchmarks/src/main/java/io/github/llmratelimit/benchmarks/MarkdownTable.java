package io.github.llmratelimit.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A table that grows row by row. Not thread-safe.
 */
public final class MarkdownTable {

	private final List<String> lines = new ArrayList<>();

	/**
	 * Begin a table.
	 * @param title what it shows
	 * @param columns names of the columns
	 */
	public MarkdownTable(String title, String... columns) {
		this.lines.add("");
		this.lines.add("### " + title);
		this.lines.add("");
		add((Object[]) columns);
		add(Collections.nCopies(columns.length, "---").toArray());
	}

	/**
	 * Add a row.
	 * @param cells its cells
	 * @return this
	 */
	public MarkdownTable add(Object... cells) {
		this.lines.add("| " + String.join(" | ", Arrays.stream(cells).map(String::valueOf).toList()) + " |");
		return this;
	}

	/**
	 * A number as the text of a cell.
	 * @param value the number
	 * @param decimals how many decimals
	 * @return the text; what is infinite is never reached
	 */
	public static String decimals(double value, int decimals) {
		return Double.isInfinite(value) ? "never" : String.format(Locale.ROOT, "%." + decimals + "f", value);
	}

	/** Print what is there. */
	public void print() {
		this.lines.forEach(System.out::println);
	}

}
