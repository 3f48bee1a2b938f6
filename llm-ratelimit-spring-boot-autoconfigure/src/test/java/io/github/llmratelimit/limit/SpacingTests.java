package io.github.llmratelimit.limit;

import java.time.Duration;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Limit;
import org.junit.jupiter.api.Test;

import static io.github.llmratelimit.limit.TestAccount.bucket;
import static io.github.llmratelimit.limit.TestAccount.rpm;
import static io.github.llmratelimit.limit.TestAccount.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@code burst}: only so much of a limit may go at once.
 */
class SpacingTests {

	private static final Duration BURST = Duration.ofSeconds(1);

	@Test
	void spacesCallsWhenLessThanOneASecondIsAllowed() {
		TestAccount account = TestAccount.of(rpm(30).withBurst(BURST));
		account.take(0);
		account.assertWaits(0, 2, "rpm");
		account.assertWaits(0, 2, "rpm");
	}

	@Test
	void letsOneSecondsWorthGoAtOnce() {
		TestAccount account = TestAccount.of(rpm(600).withBurst(BURST));
		account.take(10, 0);
		account.assertWaits(0, 1, "rpm");
	}

	@Test
	void widensTheSpacingByTheSlackButAtMostByATenth() {
		Limit limit = rpm(60).withBurst(BURST);
		TestAccount bySlack = TestAccount.of(limit.withSlack(Duration.ofMillis(20)));
		bySlack.take(0);
		bySlack.assertWaits(0, 1.02, "rpm");
		TestAccount byTenth = TestAccount.of(limit.withSlack(Duration.ofSeconds(1)));
		byTenth.take(0);
		byTenth.assertWaits(0, 1.1, "rpm");
	}

	@Test
	void keepsTheLimitItself() {
		TestAccount account = TestAccount.of(rpm(2).withBurst(Duration.ofSeconds(10)));
		account.take(0);
		account.at(30).take(0);
		account.at(59).assertWaits(0, 1, "rpm");
	}

	@Test
	void makesNoCallUnfit() {
		TestAccount account = TestAccount.of(tpm(600).withBurst(BURST));
		account.take(300);
		account.assertWaits(5, 29.5, "tpm");
		account.at(40);
		account.assertWaits(300, 20, "tpm");
	}

	@Test
	void doesNotBringTheNextCallForwardByWhatAnEarlierOneGivesBack() {
		TestAccount account = TestAccount.of(bucket(60).withBurst(BURST));
		Claim first = account.at(0).take(5);
		account.at(5).take(5);
		account.answer(first, 0);
		account.at(5).assertWaits(5, 5, "tpm");
	}

	@Test
	void bringsTheNextCallForwardByWhatTheLastOneGivesBack() {
		TestAccount account = TestAccount.of(bucket(60).withBurst(BURST));
		Claim last = account.at(0).take(30);
		account.at(1).settle(last, CallOutcome.NOT_SENT, null);
		account.at(1).take(30);
		assertThat(account.used("tpm")).isEqualTo(30);
	}

	@Test
	void isNothingForWindowsShorterThanTheBurst() {
		TestAccount account = TestAccount.of(rpm(5).withBurst(Duration.ofMinutes(2)));
		account.take(5, 0);
		account.assertWaits(0, 60, "rpm");
	}

}
