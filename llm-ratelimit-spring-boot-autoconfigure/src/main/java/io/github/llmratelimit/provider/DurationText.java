package io.github.llmratelimit.provider;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

	private static final int MAX_UNIT = 15;

	private static final Map<String, Duration> UNITS = new HashMap<>();

	static {
		unit(ChronoUnit.NANOS, "ns");
		unit(ChronoUnit.MICROS, "us", "µs");
		unit(ChronoUnit.MILLIS, "ms", "millisecond", "milliseconds");
		unit(ChronoUnit.SECONDS, "s", "sec", "secs", "second", "seconds");
		unit(ChronoUnit.MINUTES, "m", "min", "mins", "minute", "minutes");
		unit(ChronoUnit.HOURS, "h", "hr", "hrs", "hour", "hours");
		unit(ChronoUnit.DAYS, "d", "day", "days");
	}

	private static final List<String> PHRASES = List.of("try again in ", "try again after ", "retry in ",
			"retry after ", "retry again in ", "reset after ", "reset in ", "resets in ", "resets after ", "wait ");

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
		Span span = span(text, 0);
		return (span != null && span.end() == text.length()) ? span.duration() : until(moment(text, this.zone));
	}

	/** A value that is a number of milliseconds. */
	@Nullable Duration parseMillis(@Nullable String text) {
		Decimal number = Decimal.of(text);
		return (number != null) ? number.times(Duration.ofMillis(1)) : null;
	}

	/** The first duration after one of the phrases that announce one. */
	static @Nullable Duration inProse(String lowerCase) {
		for (String phrase : PHRASES) {
			for (int at = lowerCase.indexOf(phrase); at >= 0; at = lowerCase.indexOf(phrase, at + 1)) {
				Span span = span(lowerCase, at + phrase.length());
				if (span != null) {
					return span.duration();
				}
			}
		}
		return null;
	}

	/** The time until the first date with a time of day in a text. */
	@Nullable Duration untilDateInProse(String text) {
		for (int at = text.indexOf("-"); at >= 0; at = text.indexOf("-", at + 1)) {
			int from = at - 4;
			if (from >= 0 && DateShape.matches(text, from)) {
				return until(moment(text.substring(from, DateShape.end(text, from)), this.zone));
			}
		}
		return null;
	}

	private @Nullable Duration ofNumber(Decimal number) {
		if (number.whole() < FIRST_EPOCH_SECOND) {
			return number.times(Duration.ofSeconds(1));
		}
		return until((number.whole() < FIRST_EPOCH_MILLI) ? Instant.ofEpochSecond(number.whole())
				: Instant.ofEpochMilli(number.whole()));
	}

	private @Nullable Duration until(@Nullable Instant moment) {
		Instant now = (moment != null) ? moment(this.date, this.zone) : null;
		if (moment == null || now == null) {
			return null;
		}
		return moment.isBefore(now) ? Duration.ZERO : Duration.between(now, moment);
	}

	private static @Nullable Instant moment(@Nullable String text, ZoneOffset zone) {
		if (text == null || text.length() < 19 || text.length() > MAX_LENGTH) {
			return null;
		}
		try {
			if (!DateShape.matches(text, 0)) {
				return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
			}
			String iso = text.toUpperCase(Locale.ROOT).replace(' ', 'T');
			return (!iso.endsWith("Z") && iso.indexOf('+') < 0 && iso.lastIndexOf('-') < 19)
					? LocalDateTime.parse(iso).toInstant(zone) : OffsetDateTime.parse(iso).toInstant();
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	/** Numbers with units, such as {@code 1m30.5s} or {@code 2 seconds}. */
	private static @Nullable Span span(String text, int from) {
		Duration total = null;
		int at = from;
		Decimal number = Decimal.at(text, at);
		while (number != null) {
			int unitAt = skipBlanks(text, number.end());
			int unitEnd = skipLetters(text, unitAt);
			Duration unit = UNITS.get(text.substring(unitAt, Math.min(unitEnd, unitAt + MAX_UNIT)));
			Duration part = (unit != null) ? number.times(unit) : null;
			if (part == null) {
				break;
			}
			total = (total != null) ? total.plus(part) : part;
			at = unitEnd;
			number = Decimal.at(text, skipBlanks(text, at));
		}
		return (total != null) ? new Span(total, at) : null;
	}

	private static void unit(ChronoUnit unit, String... names) {
		for (String name : names) {
			UNITS.put(name, unit.getDuration());
		}
	}

	private static int skipBlanks(String text, int from) {
		int at = from;
		while (at < text.length() && text.charAt(at) == ' ') {
			at++;
		}
		return at;
	}

	private static int skipLetters(String text, int from) {
		int at = from;
		while (at < text.length() && Character.isLetter(text.charAt(at))) {
			at++;
		}
		return at;
	}

	/** A duration and where it ends in its text. */
	private record Span(Duration duration, int end) {

	}

}
