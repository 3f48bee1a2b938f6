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

	private static final Map<String, Duration> WINDOWS = Map.of("per sec", Duration.ofSeconds(1), "per min",
			Duration.ofMinutes(1), "per hour", Duration.ofHours(1), "per day", Duration.ofDays(1));

	/** The numbers in a text, {@code null} unless it says what was requested of what. */
	static @Nullable Quantities in(String lowerCase) {
		Long limit = after("limit", lowerCase);
		Long requested = after("requested", lowerCase);
		if (limit == null || requested == null || limit < 1) {
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

	private static @Nullable Duration window(String text) {
		for (Map.Entry<String, Duration> window : WINDOWS.entrySet()) {
			if (text.contains(window.getKey())) {
				return window.getValue();
			}
		}
		return null;
	}

	/** The first whole number that follows a word. */
	private static @Nullable Long after(String word, String text) {
		for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
			int from = at + word.length();
			while (from < text.length() && (text.charAt(from) == ' ' || text.charAt(from) == ':')) {
				from++;
			}
			Decimal number = Decimal.at(text, from);
			if (number != null) {
				return number.whole();
			}
		}
		return null;
	}

}
