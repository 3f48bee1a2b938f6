package io.github.llmratelimit.token;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Sets of texts that no rate of the heuristic was fitted to.
 */
enum HeldOutTexts {

	/**
	 * Texts whose errors were looked at while features were chosen.
	 */
	SEEN("held-out", List.of(), List.of()),

	/**
	 * Texts written without sight of the heuristic. One of them showed that capitals were
	 * underestimated, which was changed afterwards.
	 */
	UNSEEN("unseen", List.of(), List.of()),

	/**
	 * Texts written after that, and checked once: nothing was changed afterwards.
	 */
	FRESH("fresh", List.of("Other: polski"), List.of("Capitals"));

	private final String file;

	private final List<String> missed;

	private final List<String> missedOnAverage;

	HeldOutTexts(String file, List<String> missed, List<String> missedOnAverage) {
		this.file = file;
		this.missed = missed;
		this.missedOnAverage = missedOnAverage;
	}

	/** Titles of those that are known to be estimated more than 25 % too low. */
	List<String> missed() {
		return this.missed;
	}

	/** Categories that are known to be estimated more than 15 % wrong on average. */
	List<String> missedOnAverage() {
		return this.missedOnAverage;
	}

	List<HeldOut> all() {
		return Arrays.stream(resource().split("(?m)^=== ")).skip(1).map(HeldOutTexts::parse).toList();
	}

	private static HeldOut parse(String section) {
		String title = section.substring(0, section.indexOf('\n'));
		return new HeldOut(title.substring(0, title.indexOf(':')), title, section.substring(title.length()).strip());
	}

	private String resource() {
		try (InputStream in = HeldOutTexts.class.getResourceAsStream("/token/" + this.file + ".txt")) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A text.
	 *
	 * @param category what kind of text it is
	 * @param title names it
	 * @param text the text
	 */
	record HeldOut(String category, String title, String text) {

		@Override
		public String toString() {
			return this.title;
		}

	}

}
