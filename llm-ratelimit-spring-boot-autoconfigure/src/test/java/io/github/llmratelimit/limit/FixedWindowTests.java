package io.github.llmratelimit.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.DailyReset;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ProviderPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of limits that count from reset to reset.
 */
class FixedWindowTests {

	private static final Limit PER_MINUTE = TestAccount.limit("tpm", Counted.TOKENS, 100, LimitAlgorithm.FIXED_WINDOW);

	private static final Limit PER_DAY = Limit.of("tpd", Counted.TOKENS, 100, Duration.ofDays(1),
			LimitAlgorithm.FIXED_WINDOW);

	private static TestAccount startingAt(Instant start, Limit limit) {
		return new TestAccount(ProviderPlan.of("test", LimitPlan.of(limit)), start);
	}

	@Test
	void resetsWithTheMinuteOfTheEpoch() {
		TestAccount account = startingAt(Instant.EPOCH.plusSeconds(3 * 60 + 50), PER_MINUTE);
		account.take(100);
		account.assertWaits(1, 10, "tpm");
		account.at(11).assertWaits(100, 59, "tpm");
	}

	@Test
	void letsTwoWindowsMeet() {
		TestAccount account = startingAt(Instant.EPOCH, PER_MINUTE);
		account.at(59.9).take(100);
		account.at(60).take(100);
		account.assertWaits(1, 60, "tpm");
	}

	@Test
	void forgetsWindowsThatPassedUnused() {
		TestAccount account = startingAt(Instant.EPOCH, PER_MINUTE);
		account.take(100);
		account.at(200).take(100);
		account.assertWaits(1, 40, "tpm");
	}

	@Test
	void countsWhatMayHaveArrivedOnEitherSideOfTheResetInBoth() {
		TestAccount account = startingAt(Instant.EPOCH, PER_MINUTE.withSlack(Duration.ofSeconds(1)));
		account.at(30).take(40);
		account.at(59.5).take(30);
		account.at(60.5).take(30);
		account.at(60.6).assertWaits(40, 0.4, "tpm");
		assertThat(account.used("tpm")).isEqualTo(100);
	}

	@Test
	void waitsForTheNextButOneResetWhenLateCallsFillTheNextWindow() {
		TestAccount account = startingAt(Instant.EPOCH, PER_MINUTE.withSlack(Duration.ofSeconds(1)));
		account.at(59.5).take(100);
		account.at(59.6).assertWaits(1, 61.4, "tpm");
	}

	@Test
	void correctsBothWindowsOfALateCall() {
		TestAccount account = startingAt(Instant.EPOCH, PER_MINUTE.withSlack(Duration.ofSeconds(1)));
		Claim late = account.at(59.5).take(100);
		account.at(62);
		assertThat(account.used("tpm")).isEqualTo(100);
		account.answer(late, 20);
		assertThat(account.used("tpm")).isEqualTo(20);
	}

	@Test
	void ignoresWhatIsSettledAfterTheReset() {
		TestAccount account = startingAt(Instant.EPOCH, PER_MINUTE);
		Claim early = account.take(50);
		account.at(61).take(100);
		account.answer(early, 0);
		account.assertWaits(1, 59, "tpm");
	}

	@Test
	void leavesDebtForOneCallBetweenMarginAndLimit() {
		TestAccount account = startingAt(Instant.EPOCH, PER_MINUTE.withMargin(0.9));
		account.take(1);
		account.assertWaits(95, 60, "tpm");
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			2026-01-15T12:00, 12
			2026-03-07T12:00, 12
			2026-03-08T00:00, 23
			2026-11-01T00:00, 25
			2026-11-01T12:00, 12
			""")
	void resetsAtMidnightOfAZoneWhoseDaysAreAsLongAsTheyAre(String local, int hours) {
		ZoneId zone = ZoneId.of("America/Los_Angeles");
		Instant start = ZonedDateTime.of(LocalDateTime.parse(local), zone).toInstant();
		TestAccount account = startingAt(start, PER_DAY.withResetsAt(new DailyReset(LocalTime.MIDNIGHT, zone)));
		account.take(100);
		account.assertWaits(1, hours * 3600, "tpd");
	}

	@Test
	void addsWhatOthersHaveUsedToWhatWasAdmittedSince() {
		TestAccount account = startingAt(Instant.EPOCH, PER_MINUTE);
		Claim answered = account.at(1).take(10);
		account.at(2).take(20);
		account.at(3).observe(answered, remaining(50));
		assertThat(account.used("tpm")).isEqualTo(70);
		account.assertWaits(40, 57, "tpm");
	}

	@Test
	void forgetsWhatOthersHaveUsedAtTheAnnouncedReset() {
		TestAccount account = startingAt(Instant.EPOCH, PER_MINUTE);
		Claim answered = account.at(1).take(10);
		account.at(3).observe(answered, new Observed(Counted.TOKENS, null, 100L, 50L, Duration.ofSeconds(10)));
		account.assertWaits(60, 10, "tpm");
	}

	@Test
	void neverRaisesALevelByAnAnnouncement() {
		TestAccount account = startingAt(Instant.EPOCH, PER_MINUTE);
		Claim answered = account.at(1).take(60);
		account.at(2).observe(answered, remaining(100));
		assertThat(account.used("tpm")).isEqualTo(60);
	}

	private static Observed remaining(long tokens) {
		return new Observed(Counted.TOKENS, null, 100L, tokens, null);
	}

}
