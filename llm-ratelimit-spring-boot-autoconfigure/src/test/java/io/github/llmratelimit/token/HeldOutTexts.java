package io.github.llmratelimit.token;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Texts that the heuristic was not fitted to.
 */
final class HeldOutTexts {

	private HeldOutTexts() {
	}

	static List<HeldOut> all() {
		return Arrays.stream(resource().split("(?m)^=== ")).skip(1).map(HeldOutTexts::parse).toList();
	}

	private static HeldOut parse(String section) {
		String title = section.substring(0, section.indexOf('\n'));
		return new HeldOut(title.substring(0, title.indexOf(':')), title, section.substring(title.length()).strip());
	}

	private static String resource() {
		try (InputStream in = HeldOutTexts.class.getResourceAsStream("/token/held-out.txt")) {
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
