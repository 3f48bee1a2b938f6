package io.github.llmratelimit;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link DailyReset}.
 */
class DailyResetTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			# zone,              reset, from (local),       next reset (local)
			UTC,                 00:00, 2026-05-01T13:00,    2026-05-02T00:00
			UTC,                 00:00, 2026-05-01T00:00,    2026-05-02T00:00
			UTC,                 16:00, 2026-05-01T15:59:59, 2026-05-01T16:00
			Asia/Shanghai,       00:00, 2026-12-31T23:00,    2027-01-01T00:00
			America/Los_Angeles, 00:00, 2026-03-07T23:00,    2026-03-08T00:00
			America/Los_Angeles, 00:00, 2026-03-08T01:00,    2026-03-09T00:00
			America/Los_Angeles, 02:30, 2026-03-08T01:00,    2026-03-08T03:30
			America/Los_Angeles, 01:30, 2026-11-01T00:00,    2026-11-01T01:30
			""")
	void findsTheNextReset(String zone, LocalTime time, LocalDateTime from, LocalDateTime next) {
		ZoneId zoneId = ZoneId.of(zone);
		Instant reset = new DailyReset(time, zoneId).after(from.atZone(zoneId).toInstant());
		assertThat(reset.atZone(zoneId).toLocalDateTime()).isEqualTo(next);
	}

	@Test
	void resetsOnceOnADayOnWhichTheTimeComesTwice() {
		ZoneId zone = ZoneId.of("America/Los_Angeles");
		DailyReset reset = new DailyReset(LocalTime.of(1, 30), zone);
		Instant first = reset.after(Instant.parse("2026-11-01T07:00:00Z"));
		assertThat(first).isEqualTo("2026-11-01T08:30:00Z");
		assertThat(reset.after(first)).isEqualTo("2026-11-02T09:30:00Z");
	}

	@ParameterizedTest
	@CsvSource({ "America/Los_Angeles", "Europe/Berlin", "America/Nuuk", "America/Havana", "Asia/Beirut",
			"Pacific/Apia", "Australia/Lord_Howe", "America/St_Johns" })
	void alwaysMovesOnByAboutADay(String zone) {
		for (LocalTime time : new LocalTime[] { LocalTime.MIDNIGHT, LocalTime.of(2, 30), LocalTime.of(23, 30) }) {
			DailyReset reset = new DailyReset(time, ZoneId.of(zone));
			Instant instant = Instant.parse("2009-01-01T00:00:00Z");
			instant = reset.after(instant);
			while (instant.isBefore(Instant.parse("2028-01-01T00:00:00Z"))) {
				Instant next = reset.after(instant);
				assertThat(Duration.between(instant, next)).isBetween(Duration.ofHours(22), Duration.ofHours(26));
				assertThat(reset.after(next.minusNanos(1))).isEqualTo(next);
				instant = next;
			}
		}
	}

}
