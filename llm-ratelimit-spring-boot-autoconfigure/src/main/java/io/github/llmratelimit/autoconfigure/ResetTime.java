package io.github.llmratelimit.autoconfigure;

import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

import io.github.llmratelimit.DailyReset;

/**
 * Times of day as properties write them: {@code 00:00 America/Los_Angeles}.
 */
final class ResetTime {

	private ResetTime() {
	}

	/**
	 * Read a time and its zone.
	 * @param text a time of day, and a zone unless it is UTC
	 * @return the reset
	 * @throws DateTimeException if the text is neither, or the zone is unknown
	 */
	static DailyReset parse(String text) {
		String[] parts = text.strip().split("\\s+", 2);
		ZoneId zone = (parts.length == 2) ? ZoneId.of(parts[1]) : ZoneOffset.UTC;
		return new DailyReset(LocalTime.parse(parts[0]), zone);
	}

}
