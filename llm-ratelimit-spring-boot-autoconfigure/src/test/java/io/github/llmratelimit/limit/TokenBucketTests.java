package io.github.llmratelimit.limit;

import java.time.Duration;

import io.github.llmratelimit.CallOutcome;
import org.junit.jupiter.api.Test;

import static io.github.llmratelimit.limit.TestAccount.bucket;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of limits that are refilled continuously. A bucket of 60 a minute gains one unit
 * a second.
 */
class TokenBucketTests {

	@Test
	void admitsItsCapacityAtOnceAndThenAtItsRate() {
		TestAccount account = TestAccount.of(bucket(60));
		account.take(60);
		account.assertWaits(1, 1, "tpm");
		account.assertWaits(30, 30, "tpm");
	}

	@Test
	void refillsNoFurtherThanFull() {
		TestAccount account = TestAccount.of(bucket(60));
		account.at(0).take(10);
		account.at(500).take(60);
		account.at(500).assertWaits(1, 1, "tpm");
	}

	@Test
	void losesCapacityToSlack() {
		TestAccount account = TestAccount.of(bucket(60).withSlack(Duration.ofSeconds(6)));
		account.take(54);
		account.assertWaits(1, 1, "tpm");
	}

	@Test
	void leavesDebtForACallLargerThanItsCapacity() {
		TestAccount account = TestAccount.of(bucket(60).withSlack(Duration.ofSeconds(6)));
		account.at(0).take(10);
		account.at(0).assertWaits(60, 10, "tpm");
		account.assertWaits(54, 60, "tpm");
	}

	@Test
	void refillsAtTheMargin() {
		TestAccount account = TestAccount.of(bucket(120).withMargin(0.5));
		account.take(60);
		account.assertWaits(1, 1, "tpm");
	}

	@Test
	void givesBackWhatWasNotUsed() {
		TestAccount account = TestAccount.of(bucket(60));
		Claim claim = account.take(60);
		account.at(10).answer(claim, 40);
		assertThat(account.used("tpm")).isEqualTo(30);
		account.assertWaits(40, 10, "tpm");
	}

	@Test
	void doesNotGiveBackBeyondFull() {
		TestAccount account = TestAccount.of(bucket(60));
		Claim claim = account.take(60);
		account.at(50).answer(claim, 0);
		assertThat(account.used("tpm")).isZero();
		account.take(60);
		account.at(50).assertWaits(1, 1, "tpm");
	}

	@Test
	void doesNotGiveBackWhatWasRefilledBeforeALaterCall() {
		TestAccount account = TestAccount.of(bucket(60));
		Claim early = account.at(0).take(50);
		account.at(100).take(60);
		account.answer(early, 0);
		account.at(100).assertWaits(1, 1, "tpm");
	}

	@Test
	void givesBackOnlyWhatALaterCallFoundMissing() {
		TestAccount account = TestAccount.of(bucket(60));
		Claim early = account.at(0).take(50);
		account.at(40).take(50);
		account.at(45).answer(early, 0);
		// As if only the later call had been: 50 - 5
		assertThat(account.used("tpm")).isEqualTo(45);
		account.assertWaits(20, 5, "tpm");
	}

	@Test
	void givesBackTheSameForSeveralCallsInAnyOrder() {
		TestAccount account = TestAccount.of(bucket(60));
		Claim first = account.at(0).take(20);
		Claim second = account.at(10).take(20);
		Claim third = account.at(20).take(20);
		account.at(25);
		account.answer(second, 5);
		account.answer(first, 0);
		account.answer(third, 10);
		// 0 + 5 at 10 s, full again at 15 s, 10 at 20 s: 5 missing at 25 s
		assertThat(account.used("tpm")).isEqualTo(5);
	}

	@Test
	void remembersMoreThanWasReservedAsDebt() {
		TestAccount account = TestAccount.of(bucket(60));
		Claim claim = account.take(60);
		account.answer(claim, 90);
		account.assertWaits(1, 31, "tpm");
	}

	@Test
	void countsUsageOfACallThatReservedNothing() {
		TestAccount account = TestAccount.of(bucket(60));
		account.answer(account.take(0), 60);
		account.assertWaits(1, 1, "tpm");
	}

	@Test
	void settlesOnce() {
		TestAccount account = TestAccount.of(bucket(60));
		Claim claim = account.take(60);
		account.settle(claim, CallOutcome.THROTTLED, null);
		account.settle(claim, CallOutcome.THROTTLED, null);
		account.take(60);
		account.assertWaits(1, 1, "tpm");
	}

	@Test
	void ignoresTheSettlementOfAClaimThatWasNeverGranted() {
		TestAccount account = TestAccount.of(bucket(60));
		Claim refused = account.claim(TestAccount.call(10));
		account.take(60);
		account.reserve(refused);
		account.settle(refused, CallOutcome.NOT_SENT, null);
		account.assertWaits(1, 1, "tpm");
	}

	@Test
	void keepsTheSlackInReserveWhenALevelIsAnnounced() {
		TokenBucket bucket = new TokenBucket(60, 60, 6, 120);
		bucket.observe(30, 0, 60, 0);
		assertThat(bucket.nanosUntil(24, 0)).isZero();
		assertThat(bucket.nanosUntil(25, 0)).isEqualTo(1);
	}

}
