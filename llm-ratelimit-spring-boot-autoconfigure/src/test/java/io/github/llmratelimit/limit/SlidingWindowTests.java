package io.github.llmratelimit.limit;

import java.time.Duration;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.TokenUsage;
import org.junit.jupiter.api.Test;

import static io.github.llmratelimit.limit.TestAccount.SECOND;
import static io.github.llmratelimit.limit.TestAccount.rpm;
import static io.github.llmratelimit.limit.TestAccount.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of limits that count what the last window saw.
 */
class SlidingWindowTests {

	@Test
	void admitsUpToTheLimitAtOnce() {
		TestAccount account = TestAccount.of(rpm(3));
		account.take(3, 0);
		account.assertWaits(0, 60, "rpm");
	}

	@Test
	void freesEachAmountOneWindowAfterItWasTaken() {
		TestAccount account = TestAccount.of(tpm(100));
		account.at(0).take(40);
		account.at(10).take(60);
		account.at(20).assertWaits(30, 40, "tpm");
		account.at(60).assertWaits(20, 10, "tpm");
	}

	@Test
	void waitsForAsManyAmountsAsItNeeds() {
		TestAccount account = TestAccount.of(tpm(100));
		for (int second = 0; second < 10; second++) {
			account.at(second).take(10);
		}
		account.at(30).assertWaits(35, 33, "tpm");
	}

	@Test
	void isWidenedBySlack() {
		TestAccount account = TestAccount.of(rpm(1).withSlack(Duration.ofSeconds(1)));
		account.take(0);
		account.assertWaits(0, 61, "rpm");
	}

	@Test
	void usesOnlyTheMargin() {
		TestAccount account = TestAccount.of(tpm(100).withMargin(0.9));
		account.take(90);
		account.assertWaits(1, 60, "tpm");
	}

	@Test
	void leavesDebtForOneCallBetweenMarginAndLimit() {
		TestAccount account = TestAccount.of(tpm(100).withMargin(0.9));
		account.take(1);
		account.at(30).assertWaits(100, 30, "tpm");
		assertThat(account.used("tpm")).isEqualTo(100);
		account.assertWaits(1, 60, "tpm");
	}

	@Test
	void givesBackWhatWasNotUsed() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim claim = account.take(80);
		account.answer(claim, 30);
		assertThat(account.used("tpm")).isEqualTo(30);
		account.at(5).take(70);
		account.at(6).assertWaits(71, 59, "tpm");
	}

	@Test
	void remembersMoreThanWasReservedAsDebt() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim claim = account.take(10);
		account.at(20).take(50);
		account.answer(claim, 150);
		assertThat(account.used("tpm")).isEqualTo(200);
		account.at(20).assertWaits(50, 40, "tpm");
	}

	@Test
	void countsUsageOfACallThatReservedNothing() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim claim = account.take(0);
		account.answer(claim, 100);
		account.at(1).assertWaits(1, 59, "tpm");
	}

	@Test
	void ignoresWhatIsSettledAfterItsWindow() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim early = account.take(50);
		account.at(70).take(100);
		account.answer(early, 0);
		account.assertWaits(1, 60, "tpm");
		account.at(400);
		account.answer(account.take(10), 10);
		assertThat(account.used("tpm")).isEqualTo(10);
	}

	@Test
	void settlesOnce() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim claim = account.take(60);
		account.take(40);
		account.answer(claim, 50);
		account.answer(claim, 0);
		account.settle(claim, CallOutcome.NOT_SENT, null);
		assertThat(account.used("tpm")).isEqualTo(90);
		assertThat(account.snapshot().inFlight()).isEqualTo(1);
	}

	@Test
	void keepsTheRequestOfARefusedCallAndGivesBackItsTokens() {
		TestAccount account = TestAccount.of(rpm(100), tpm(100));
		account.settle(account.take(60), CallOutcome.THROTTLED, null);
		assertThat(account.used("rpm")).isEqualTo(1);
		assertThat(account.used("tpm")).isZero();
	}

	@Test
	void givesBackEverythingOfACallThatWasNotSent() {
		TestAccount account = TestAccount.of(rpm(100), tpm(100));
		account.settle(account.take(60), CallOutcome.NOT_SENT, null);
		assertThat(account.used("rpm")).isZero();
		assertThat(account.used("tpm")).isZero();
	}

	@Test
	void keepsEverythingWhenNoUsageIsReported() {
		TestAccount account = TestAccount.of(rpm(100), tpm(100));
		account.settle(account.take(60), CallOutcome.FAILED, null);
		account.settle(account.take(10), CallOutcome.SUCCESS, null);
		account.settle(account.take(20), CallOutcome.CANCELLED, new TokenUsage(5, 0));
		assertThat(account.used("tpm")).isEqualTo(75);
	}

	@Test
	void tellsAmountsOfTheSameMomentApartOnlyBySum() {
		TestAccount account = TestAccount.of(tpm(100));
		account.take(20);
		Claim second = account.take(80);
		account.answer(second, 10);
		account.at(1).take(70);
		account.at(1).assertWaits(30, 59, "tpm");
	}

	@Test
	void isExactForAsManyCallsAsTheLimitAllowsUpTo4096() {
		TestAccount account = TestAccount.of(rpm(4096));
		for (int window = 0; window < 3; window++) {
			for (int i = 0; i < 4096; i++) {
				account.atNanos(window * 60 * SECOND + i).take(0);
			}
		}
		account.atNanos(120 * SECOND + 5000);
		Verdict verdict = account.reserve(0);
		assertThat(verdict.waitNanos()).isEqualTo(60 * SECOND - 5000);
	}

}
