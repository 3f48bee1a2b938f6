package io.github.llmratelimit.provider;

import org.jspecify.annotations.Nullable;

/**
 * A number that is not negative, as it stands in a text.
 *
 * @param whole the part before the point
 * @param billionths the part after it
 * @param end index after its last character
 */
record Decimal(long whole, long billionths, int end) {

	private static final int MAX_DIGITS = 15;

	private static final long BILLION = 1_000_000_000;

	/** The number that a text is, {@code null} if it is anything else. */
	static @Nullable Decimal of(@Nullable String text) {
		Decimal number = (text != null) ? at(text, 0) : null;
		return (number != null && text != null && number.end == text.length()) ? number : null;
	}

	/** The number that begins here, {@code null} if there is none or it is absurd. */
	static @Nullable Decimal at(String text, int from) {
		int point = skipDigits(text, from);
		if (point == from || point - from > MAX_DIGITS) {
			return null;
		}
		long whole = Long.parseLong(text, from, point, 10);
		boolean hasFraction = point + 1 < text.length() && text.charAt(point) == '.' && isDigit(text.charAt(point + 1));
		int end = hasFraction ? skipDigits(text, point + 1) : point;
		return new Decimal(whole, hasFraction ? billionths(text, point + 1, end) : 0, end);
	}

	/** This many units in nanoseconds, -1 beyond 292 years. */
	long times(long unitNanos) {
		if (this.whole >= Long.MAX_VALUE / unitNanos) {
			return -1;
		}
		long fraction = (unitNanos < BILLION) ? this.billionths * unitNanos / BILLION
				: this.billionths * (unitNanos / BILLION);
		return this.whole * unitNanos + fraction;
	}

	/** The digits of a fraction as nanoseconds of a second. */
	static int billionths(String text, int from, int to) {
		int value = 0;
		for (int i = 0; i < 9; i++) {
			value = 10 * value + ((from + i < to) ? text.charAt(from + i) - '0' : 0);
		}
		return value;
	}

	static int skipDigits(String text, int from) {
		int at = from;
		while (at < text.length() && isDigit(text.charAt(at))) {
			at++;
		}
		return at;
	}

	static boolean isDigit(char character) {
		return character >= '0' && character <= '9';
	}

}
