package io.github.llmratelimit.provider;

/**
 * Finds dates with a time of day, such as {@code 2026-08-24 00:09:21}, in longer texts.
 */
final class DateShape {

	private static final String SHAPE = "0000-00-00 00:00:00";

	private DateShape() {
	}

	/** Whether a date begins here. */
	static boolean matches(String text, int from) {
		if (text.length() - from < SHAPE.length()) {
			return false;
		}
		for (int i = 0; i < SHAPE.length(); i++) {
			char character = text.charAt(from + i);
			boolean fits = switch (SHAPE.charAt(i)) {
				case '0' -> Decimal.isDigit(character);
				case ' ' -> character == 'T' || character == 't' || character == ' ';
				default -> character == SHAPE.charAt(i);
			};
			if (!fits) {
				return false;
			}
		}
		return true;
	}

	/** Where the date that begins here ends, with its fraction and zone. */
	static int end(String text, int from) {
		int at = from + SHAPE.length();
		if (at + 1 < text.length() && text.charAt(at) == '.' && Decimal.isDigit(text.charAt(at + 1))) {
			at = Decimal.skipDigits(text, at + 1);
		}
		if (at < text.length() && Character.toUpperCase(text.charAt(at)) == 'Z') {
			return at + 1;
		}
		boolean offset = text.length() - at >= 6 && "+-".indexOf(text.charAt(at)) >= 0 && text.charAt(at + 3) == ':';
		return offset ? at + 6 : at;
	}

}
