package io.github.llmratelimit.simulator.dialect;

import java.math.BigDecimal;

/**
 * Durations as Go prints them: {@code 17ms}, {@code 1.5s}, {@code 6m0s},
 * {@code 23h47m36.648s}; rounded up to a millisecond.
 */
final class GoDuration {

	private static final long MILLI = 1_000_000;

	private GoDuration() {
	}

	static String format(long nanos) {
		long millis = roundUp(nanos, MILLI);
		if (millis > 0 && millis < 1000) {
			return millis + "ms";
		}
		long minutes = millis / 60_000;
		return hoursAndMinutes(minutes) + seconds(millis % 60_000);
	}

	private static String hoursAndMinutes(long minutes) {
		if (minutes < 60) {
			return (minutes > 0) ? minutes + "m" : "";
		}
		return minutes / 60 + "h" + minutes % 60 + "m";
	}

	private static String seconds(long millis) {
		return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString() + "s";
	}

	/** How many units a time takes, the last one perhaps in part. */
	static long roundUp(long nanos, long unit) {
		return (nanos + unit - 1) / unit;
	}

}
