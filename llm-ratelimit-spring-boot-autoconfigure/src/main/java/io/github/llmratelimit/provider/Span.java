package io.github.llmratelimit.provider;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A length of time as it stands in a text, such as {@code 1m30.5s}, {@code 1 hour and 5
 * minutes}, {@code 5 秒} or {@code 00:05:12}.
 *
 * @param nanos its length
 * @param end index after its last character
 */
record Span(long nanos, int end) {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	/** The usual ones first; of those that begin alike the longest. */
	private static final Unit[] UNITS = { new Unit("s", SECOND), new Unit("ms", millis(1)), new Unit("m", minutes(1)),
			new Unit("h", minutes(60)), new Unit("ns", 1), new Unit("us", 1000), new Unit("µs", 1000),
			new Unit("d", minutes(1440)), new Unit("seconds", SECOND), new Unit("second", SECOND),
			new Unit("secs", SECOND), new Unit("sec", SECOND), new Unit("minutes", minutes(1)),
			new Unit("minute", minutes(1)), new Unit("mins", minutes(1)), new Unit("min", minutes(1)),
			new Unit("hours", minutes(60)), new Unit("hour", minutes(60)), new Unit("hrs", minutes(60)),
			new Unit("hr", minutes(60)), new Unit("days", minutes(1440)), new Unit("day", minutes(1440)),
			new Unit("milliseconds", millis(1)), new Unit("millisecond", millis(1)), new Unit("毫秒", millis(1)),
			new Unit("秒钟", SECOND), new Unit("秒", SECOND), new Unit("分钟", minutes(1)), new Unit("分", minutes(1)),
			new Unit("小时", minutes(60)), new Unit("个小时", minutes(60)), new Unit("天", minutes(1440)) };

	/** The span that begins here, {@code null} if there is none. */
	static @Nullable Span at(String text, int from) {
		Decimal first = Decimal.at(text, from);
		if (first != null && is(text, first.end(), ':')) {
			return clock(text, first);
		}
		long total = 0;
		int end = from;
		for (Decimal number = first; number != null; number = Decimal.at(text, skipAnd(text, end))) {
			int unitAt = skipBlanks(text, number.end());
			Unit unit = unitAt(text, unitAt);
			long nanos = (unit != null) ? number.times(unit.nanos) : -1;
			if (unit == null || nanos < 0 || total + nanos < 0) {
				break;
			}
			total += nanos;
			end = unitAt + unit.name.length();
		}
		return (end > from) ? new Span(total, end) : null;
	}

	/** Hours, minutes and seconds, with or without days, as in {@code 1.02:03:04}. */
	private static @Nullable Span clock(String text, Decimal first) {
		int colon = first.end();
		int minutes = Timestamp.digits(text, colon + 1, 2);
		int seconds = Timestamp.digits(text, colon + 4, 2);
		if (minutes < 0 || seconds < 0 || !is(text, colon + 3, ':')) {
			return null;
		}
		boolean hasDays = is(text, colon - 3, '.');
		long hours = hasDays ? 24 * first.whole() + Timestamp.digits(text, colon - 2, 2) : first.whole();
		long nanos = new Decimal(3600 * hours + 60 * minutes + seconds, 0, 0).times(SECOND);
		return (nanos < 0) ? null : new Span(nanos, colon + 6);
	}

	private static @Nullable Unit unitAt(String text, int at) {
		for (Unit unit : UNITS) {
			if (unit.isAt(text, at)) {
				return unit;
			}
		}
		return null;
	}

	static int skipBlanks(String text, int from) {
		int at = from;
		while (is(text, at, ' ')) {
			at++;
		}
		return at;
	}

	/** What may stand between the parts of a span. */
	private static int skipAnd(String text, int from) {
		int at = skipBlanks(text, is(text, from, ',') ? from + 1 : from);
		return text.startsWith("and ", at) ? skipBlanks(text, at + 4) : at;
	}

	private static boolean is(String text, int at, char character) {
		return at >= 0 && at < text.length() && text.charAt(at) == character;
	}

	private static long millis(long count) {
		return TimeUnit.MILLISECONDS.toNanos(count);
	}

	private static long minutes(long count) {
		return TimeUnit.MINUTES.toNanos(count);
	}

	/** A unit of time, whose name is no part of a longer word. */
	private record Unit(String name, long nanos) {

		boolean isAt(String text, int at) {
			int end = at + this.name.length();
			return text.startsWith(this.name, at)
					&& !(isLatin(this.name, this.name.length() - 1) && isLatin(text, end));
		}

		private static boolean isLatin(String text, int at) {
			return at < text.length() && text.charAt(at) < 0x250 && Character.isLetter(text.charAt(at));
		}

	}

}
