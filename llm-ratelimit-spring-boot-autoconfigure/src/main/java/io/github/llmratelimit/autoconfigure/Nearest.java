package io.github.llmratelimit.autoconfigure;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Finds what somebody probably meant.
 */
final class Nearest {

	private Nearest() {
	}

	/**
	 * The word that is most like another.
	 * @param word what was written
	 * @param known what could have been meant
	 * @return the nearest known word, {@code null} if none is near
	 */
	static @Nullable String to(String word, Collection<String> known) {
		int near = Math.max(2, word.length() / 3);
		return known.stream()
			.filter((candidate) -> distance(word, candidate) <= near)
			.min(Comparator.comparingInt((candidate) -> distance(word, candidate)))
			.orElse(null);
	}

	/* The number of letters to insert, delete or replace, row by row. */
	private static int distance(String left, String right) {
		String a = left.toLowerCase(Locale.ROOT);
		String b = right.toLowerCase(Locale.ROOT);
		int[] row = new int[b.length() + 1];
		for (int j = 0; j < row.length; j++) {
			row[j] = j;
		}
		for (int i = 1; i <= a.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= b.length(); j++) {
				int replaced = diagonal + ((a.charAt(i - 1) == b.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
			}
		}
		return row[b.length()];
	}

}
