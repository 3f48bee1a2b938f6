package io.github.llmratelimit.provider;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The numbers by which a refusal explains itself, as in "Limit 10000, Used 5775,
 * Requested 4301". A limit that is refilled continuously frees what is missing in
 * {@code (used + requested - limit) / limit} of its window.
 *
 * @param limit the ceiling
 * @param used what was used of it, {@code null} if unknown
 * @param requested what the call was to use
 * @param window the limit's window, {@code null} if unknown
 */
record Quantities(long limit, @Nullable Long used, long requested, @Nullable Duration window) {

	private static final Map<String, Duration> WINDOWS = Map.of("sec", Duration.ofSeconds(1), "min",
			Duration.ofMinutes(1), "hour", Duration.ofHours(1), "day", Duration.ofDays(1));

	/** The numbers in a text, {@code null} unless it says what was requested of what. */
	static @Nullable Quantities in(String lowerCase) {
		Long limit = after("limit", lowerCase);
		Long requested = after("requested", lowerCase);
		if (limit == null || requested == null) {
			return null;
		}
		return new Quantities(limit, after("used", lowerCase), requested, window(lowerCase));
	}

	/** Whether the call could not be admitted even by an unused limit. */
	boolean neverFits() {
		return this.requested > this.limit;
	}

	/** How long until the call fits, {@code null} if that cannot be said. */
	@Nullable Duration waiting() {
		if (this.used == null || this.window == null || neverFits()) {
			return null;
		}
		long missing = Math.max(0, this.used + this.requested - this.limit);
		return Duration.ofNanos((long) Math.ceil((double) missing / this.limit * this.window.toNanos()));
	}

	/** The unit behind the first "per" that has one. */
	private static @Nullable Duration window(String text) {
		for (int at = text.indexOf("per "); at >= 0; at = text.indexOf("per ", at + 1)) {
			for (Map.Entry<String, Duration> window : WINDOWS.entrySet()) {
				if (text.startsWith(window.getKey(), at + 4)) {
					return window.getValue();
				}
			}
		}
		return null;
	}

	/** The first whole number that follows a word. */
	private static @Nullable Long after(String word, String text) {
		for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
			int from = at + word.length();
			while (from < text.length() && " :~".indexOf(text.charAt(from)) >= 0) {
				from++;
			}
			Decimal number = Decimal.at(text, from);
			if (number != null) {
				return withThousands(number, text);
			}
		}
		return null;
	}

	/** A number whose digits may be grouped, as in {@code 30,000}. */
	private static long withThousands(Decimal number, String text) {
		long whole = number.whole();
		for (int comma = number.end(); isThousands(text, comma) && whole < Integer.MAX_VALUE; comma += 4) {
			whole = 1000 * whole + Integer.parseInt(text, comma + 1, comma + 4, 10);
		}
		return whole;
	}

	private static boolean isThousands(String text, int comma) {
		return comma + 3 < text.length() && text.charAt(comma) == ','
				&& Decimal.skipDigits(text, comma + 1) == comma + 4;
	}

}
