package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.springframework.boot.convert.DurationStyle;

/**
 * Durations as people write them.
 */
final class ShortDuration {

	private static final List<ChronoUnit> UNITS = List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES,
			ChronoUnit.SECONDS, ChronoUnit.MILLIS);

	private ShortDuration() {
	}

	/**
	 * A duration in its largest whole unit.
	 * @param duration the duration
	 * @return for example {@code 90s}
	 */
	static String print(Duration duration) {
		if (duration.isZero()) {
			return "0s";
		}
		return UNITS.stream()
			.filter((unit) -> isWhole(duration, unit))
			.findFirst()
			.map((unit) -> DurationStyle.SIMPLE.print(duration, unit))
			.orElseGet(duration::toString);
	}

	private static boolean isWhole(Duration duration, ChronoUnit unit) {
		return duration.toNanos() % unit.getDuration().toNanos() == 0;
	}

}
