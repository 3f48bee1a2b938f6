package io.github.llmratelimit.provider;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneOffset;

import org.jspecify.annotations.Nullable;

/**
 * A moment as it stands in a text.
 *
 * @param instant the moment
 * @param end index after its last character
 */
record Timestamp(Instant instant, int end) {

	private static final int DATE_LENGTH = "2026-08-24".length();

	private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

	/** The moment that a text is, {@code null} if it is anything else. */
	static @Nullable Instant of(@Nullable String text, ZoneOffset zone) {
		if (text == null) {
			return null;
		}
		Timestamp timestamp = (text.indexOf(',') == 3) ? http(text) : at(text, 0, zone);
		return (timestamp != null && timestamp.end == text.length()) ? timestamp.instant : null;
	}

	/**
	 * The date with a time of day, such as {@code 2026-08-24 00:09:21}, that begins here.
	 * @param zone zone of dates that do not name one
	 */
	static @Nullable Timestamp at(String text, int from, ZoneOffset zone) {
		LocalDate date = isDash(text, from + 4) && isDash(text, from + 7)
				? date(digits(text, from, 4), digits(text, from + 5, 2), digits(text, from + 8, 2)) : null;
		Clock clock = (date != null) ? Clock.at(text, startOfClock(text, from + DATE_LENGTH)) : null;
		return (date != null && clock != null) ? of(date, clock, Zone.at(text, clock.end, zone)) : null;
	}

	/** A date as in headers, {@code Mon, 31 Aug 2026 10:00:30 GMT}. */
	private static @Nullable Timestamp http(String text) {
		int month = Decimal.skipDigits(text, 5) + 1;
		Clock clock = Clock.at(text, month + 9);
		if (month > 8 || clock == null) {
			return null;
		}
		int place = MONTHS.indexOf(text.substring(month, month + 3));
		LocalDate date = (place % 3 == 0) ? date(digits(text, month + 4, 4), place / 3 + 1, digits(text, 5, month - 6))
				: null;
		Zone zone = Zone.at(text, clock.end, ZoneOffset.UTC);
		return (date != null && zone.end > clock.end) ? of(date, clock, zone) : null;
	}

	private static Timestamp of(LocalDate date, Clock clock, Zone zone) {
		return new Timestamp(date.atTime(clock.time).toInstant(zone.offset), zone.end);
	}

	private static @Nullable LocalDate date(int year, int month, int day) {
		boolean exists = year >= 0 && month >= 1 && month <= 12 && day >= 1
				&& YearMonth.of(year, month).isValidDay(day);
		return exists ? LocalDate.of(year, month, day) : null;
	}

	private static int startOfClock(String text, int from) {
		return text.startsWith(" at ", from) ? from + 4 : (isOneOf(text, from, "Tt ") ? from + 1 : text.length());
	}

	/** A number of exactly this many digits, -1 if there is none. */
	static int digits(String text, int from, int count) {
		if (from < 0 || from + count > text.length()) {
			return -1;
		}
		int value = 0;
		for (int i = from; i < from + count; i++) {
			if (!Decimal.isDigit(text.charAt(i))) {
				return -1;
			}
			value = 10 * value + text.charAt(i) - '0';
		}
		return value;
	}

	private static boolean isDash(String text, int at) {
		return isOneOf(text, at, "-");
	}

	private static boolean isOneOf(String text, int at, String characters) {
		return at >= 0 && at < text.length() && characters.indexOf(text.charAt(at)) >= 0;
	}

	/** A time of day; seconds may be missing. */
	private record Clock(LocalTime time, int end) {

		static @Nullable Clock at(String text, int from) {
			int hour = digits(text, from, 2);
			int minute = isOneOf(text, from + 2, ":") ? digits(text, from + 3, 2) : -1;
			boolean hasSeconds = isOneOf(text, from + 5, ":");
			int second = hasSeconds ? digits(text, from + 6, 2) : 0;
			if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
				return null;
			}
			int end = from + (hasSeconds ? 8 : 5);
			int fraction = isOneOf(text, end, ".") ? Decimal.skipDigits(text, end + 1) : 0;
			return (fraction > end + 1)
					? new Clock(LocalTime.of(hour, minute, second, Decimal.billionths(text, end + 1, fraction)),
							fraction)
					: new Clock(LocalTime.of(hour, minute, second), end);
		}

	}

	/** The zone a moment names, or the one it has if it names none. */
	private record Zone(ZoneOffset offset, int end) {

		static Zone at(String text, int from, ZoneOffset otherwise) {
			if (isOneOf(text, from, "Zz")) {
				return new Zone(ZoneOffset.UTC, from + 1);
			}
			int at = isOneOf(text, from, " ") ? from + 1 : from;
			if (text.regionMatches(true, at, "GMT", 0, 3) || text.regionMatches(true, at, "UTC", 0, 3)) {
				return new Zone(ZoneOffset.UTC, at + 3);
			}
			int minutesAt = isOneOf(text, at + 3, ":") ? at + 4 : at + 3;
			int hours = isOneOf(text, at, "+-") ? digits(text, at + 1, 2) : -1;
			int minutes = digits(text, minutesAt, 2);
			if (hours < 0 || hours > 17 || minutes < 0 || minutes > 59) {
				return new Zone(otherwise, from);
			}
			int seconds = 3600 * hours + 60 * minutes;
			return new Zone(ZoneOffset.ofTotalSeconds((text.charAt(at) == '-') ? -seconds : seconds), minutesAt + 2);
		}

	}

}
