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
	SEEN("held-out", List.of()),

	/**
	 * Texts written after the heuristic was finished, without sight of it.
	 */
	UNSEEN("unseen", List.of("English: shouting sale poster"));

	private final String file;

	private final List<String> missed;

	HeldOutTexts(String file, List<String> missed) {
		this.file = file;
		this.missed = missed;
	}

	/** Titles of those that are known to be estimated more than 25 % too low. */
	List<String> missed() {
		return this.missed;
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
