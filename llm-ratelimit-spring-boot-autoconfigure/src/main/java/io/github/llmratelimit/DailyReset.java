package io.github.llmratelimit;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/**
 * The time of day at which a provider sets a daily count back to zero.
 *
 * @param time time of day
 * @param zone zone in which it is read; days with a clock change are as long as they are
 */
public record DailyReset(LocalTime time, ZoneId zone) {

	/**
	 * The next reset.
	 * @param instant the moment to start from
	 * @return the first reset after {@code instant}
	 */
	public Instant after(Instant instant) {
		// A clock change can move yesterday's reset into today
		LocalDate day = instant.atZone(this.zone).toLocalDate().minusDays(1);
		Instant reset = onDay(day);
		while (!reset.isAfter(instant)) {
			day = day.plusDays(1);
			reset = onDay(day);
		}
		return reset;
	}

	private Instant onDay(LocalDate day) {
		return ZonedDateTime.of(day, this.time, this.zone).toInstant();
	}

}
