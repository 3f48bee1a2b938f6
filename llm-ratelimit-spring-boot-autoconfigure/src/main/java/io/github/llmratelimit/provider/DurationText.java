package io.github.llmratelimit.provider;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Reads every form in which providers say how long to wait. Moments are relative to the
 * response's own {@code Date}, and unknown without one; moments in the past are zero.
 * Absent, negative and malformed values are unknown. Immutable; linear time.
 *
 * @param date the {@code Date} of the response, {@code null} if it has none
 * @param zone zone of moments that do not name one
 */
record DurationText(@Nullable String date, ZoneOffset zone) {

	/** From here on a bare number cannot be seconds to wait, but is a moment. */
	private static final long FIRST_EPOCH_SECOND = 100_000_000;

	private static final long FIRST_EPOCH_MILLI = 100_000_000_000L;

	private static final int MAX_LENGTH = 64;

	/** What announces a span that follows. */
	private static final List<String> BEFORE = List.of("try again in ", "try again after ", "retry in ", "retry after ",
			"retry again in ", "reset after ", "reset in ", "resets in ", "resets after ", "replenished in ",
			"available in ", "available again in ", "wait ", "等待", "请等");

	/** What announces a span that it follows: "after it". */
	private static final List<String> BEHIND = List.of("后", "之后", "以后");

	/** Relative to the {@code Date} of a response. */
	static DurationText of(ResponseHead head, ZoneOffset zone) {
		return new DurationText(head.header("date"), zone);
	}

	/** A value that is a number of seconds, a duration with units, or a moment. */
	@Nullable Duration parse(@Nullable String text) {
		if (text == null || text.length() > MAX_LENGTH) {
			return null;
		}
		Decimal number = Decimal.of(text);
		if (number != null) {
			return ofNumber(number);
		}
		Span span = Span.at(text, 0);
		return (span != null && span.end() == text.length()) ? duration(span) : until(Timestamp.of(text, this.zone));
	}

	/** A value that is a number of milliseconds. */
	@Nullable Duration parseMillis(@Nullable String text) {
		Decimal number = Decimal.of(text);
		return (number != null) ? duration(number.times(TimeUnit.MILLISECONDS.toNanos(1))) : null;
	}

	/** The first duration that a text announces. */
	static @Nullable Duration inProse(String lowerCase) {
		Span span = behindPhrase(lowerCase);
		return duration((span != null) ? span : beforePhrase(lowerCase));
	}

	/** The time until the first date with a time of day in a text. */
	@Nullable Duration untilDateInProse(String text) {
		for (int dash = text.indexOf('-'); dash >= 0; dash = text.indexOf('-', dash + 1)) {
			Timestamp date = Timestamp.at(text, dash - 4, this.zone);
			if (date != null) {
				return until(date.instant());
			}
		}
		return null;
	}

	private static @Nullable Span behindPhrase(String text) {
		for (String phrase : BEFORE) {
			for (int at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
				Span span = Span.at(text, Span.skipBlanks(text, at + phrase.length()));
				if (span != null) {
					return span;
				}
			}
		}
		return null;
	}

	private static @Nullable Span beforePhrase(String text) {
		int at = (text.indexOf(BEHIND.get(0)) >= 0) ? 0 : text.length();
		while (at < text.length()) {
			Timestamp date = Timestamp.at(text, at, ZoneOffset.UTC);
			Span span = (date == null) ? Span.at(text, at) : null;
			if (span != null && isBehind(text, Span.skipBlanks(text, span.end()))) {
				return span;
			}
			int next = (span != null) ? span.end() : Math.max(at + 1, Decimal.skipDigits(text, at));
			at = (date != null) ? date.end() : next;
		}
		return null;
	}

	private static boolean isBehind(String text, int at) {
		return BEHIND.stream().anyMatch((phrase) -> text.startsWith(phrase, at));
	}

	private @Nullable Duration ofNumber(Decimal number) {
		if (number.whole() < FIRST_EPOCH_SECOND) {
			return duration(number.times(TimeUnit.SECONDS.toNanos(1)));
		}
		return until((number.whole() < FIRST_EPOCH_MILLI) ? Instant.ofEpochSecond(number.whole())
				: Instant.ofEpochMilli(number.whole()));
	}

	private @Nullable Duration until(@Nullable Instant moment) {
		Instant now = (moment != null) ? Timestamp.of(this.date, ZoneOffset.UTC) : null;
		if (moment == null || now == null) {
			return null;
		}
		return moment.isBefore(now) ? Duration.ZERO : Duration.between(now, moment);
	}

	private static @Nullable Duration duration(@Nullable Span span) {
		return (span != null) ? Duration.ofNanos(span.nanos()) : null;
	}

	private static @Nullable Duration duration(long nanos) {
		return (nanos >= 0) ? Duration.ofNanos(nanos) : null;
	}

}
