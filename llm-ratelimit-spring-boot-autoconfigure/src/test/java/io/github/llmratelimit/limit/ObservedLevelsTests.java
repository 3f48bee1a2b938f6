package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.List;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ObservedLimits.Observed;
import org.junit.jupiter.api.Test;
import org.jspecify.annotations.Nullable;

import static io.github.llmratelimit.limit.TestAccount.bucket;
import static io.github.llmratelimit.limit.TestAccount.call;
import static io.github.llmratelimit.limit.TestAccount.rpm;
import static io.github.llmratelimit.limit.TestAccount.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of levels that responses announce: remaining = min(own, announced − claims
 * admitted since).
 */
class ObservedLevelsTests {

	private static Observed remaining(long tokens) {
		return remaining(tokens, null);
	}

	private static Observed remaining(long tokens, @Nullable Duration reset) {
		return new Observed(Counted.TOKENS, null, null, tokens, reset);
	}

	@Test
	void lowersTheLevelByWhatOthersHaveUsed() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim claim = account.take(10);
		account.at(1).observe(claim, remaining(50));
		assertThat(account.used("tpm")).isEqualTo(50);
		account.assertWaits(51, 59, "tpm");
	}

	@Test
	void neverRaisesTheLevel() {
		TestAccount window = TestAccount.of(tpm(100));
		Claim inWindow = window.take(60);
		window.at(1).observe(inWindow, remaining(99));
		assertThat(window.used("tpm")).isEqualTo(60);
		TestAccount bucket = TestAccount.of(bucket(60));
		Claim inBucket = bucket.take(60);
		bucket.at(1).observe(inBucket, remaining(59));
		bucket.assertWaits(2, 1, "tpm");
	}

	@Test
	void subtractsWhatWasAdmittedSince() {
		TestAccount window = TestAccount.of(tpm(100));
		Claim inWindow = window.take(10);
		window.at(1).take(20);
		window.at(2).observe(inWindow, remaining(60));
		assertThat(window.used("tpm")).isEqualTo(60);
		TestAccount bucket = TestAccount.of(bucket(60));
		Claim inBucket = bucket.at(1).take(10);
		bucket.at(2).take(20);
		bucket.at(3).observe(inBucket, remaining(30));
		// 30 were missing at 1 s, 20 more at 2 s, 2 were refilled
		assertThat(bucket.used("tpm")).isEqualTo(48);
	}

	@Test
	void takesOwnCallsWithinTheSlackForCountedAlready() {
		TestAccount account = TestAccount.of(tpm(100).withSlack(Duration.ofSeconds(1)));
		Claim claim = account.at(1).take(10);
		account.at(1.5).take(20);
		account.at(2).observe(claim, remaining(70));
		assertThat(account.used("tpm")).isEqualTo(30);
	}

	@Test
	void ignoresAnAnswerOlderThanOneThatWasApplied() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim older = account.take(10);
		Claim newer = account.at(1).take(10);
		account.at(2).observe(newer, remaining(40));
		account.at(3).observe(older, remaining(0));
		assertThat(account.used("tpm")).isEqualTo(60);
	}

	@Test
	void expiresAtTheAnnouncedReset() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim claim = account.take(10);
		account.at(1).observe(claim, remaining(0, Duration.ofSeconds(20)));
		account.assertWaits(90, 20, "tpm");
	}

	@Test
	void expiresAfterOneWindowWithoutAnAnnouncedReset() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim claim = account.take(10);
		account.at(1).observe(claim, remaining(0));
		account.at(30).assertWaits(5, 30, "tpm");
		account.take(95);
	}

	@Test
	void bucketIsFullAgainAtTheAnnouncedReset() {
		TestAccount account = TestAccount.of(bucket(60));
		Claim claim = account.take(10);
		account.observe(claim, remaining(0, Duration.ofSeconds(20)));
		account.assertWaits(60, 20, "tpm");
	}

	@Test
	void bucketRefillsAfterAnAnnouncement() {
		TestAccount account = TestAccount.of(bucket(60));
		Claim claim = account.take(10);
		account.at(1).observe(claim, remaining(20));
		account.assertWaits(31, 10, "tpm");
	}

	@Test
	void waitsNotForItsOwnCallsIfOnlyOthersAreInTheWay() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim claim = account.take(10);
		account.at(1).observe(claim, remaining(30, Duration.ofSeconds(5)));
		account.assertWaits(90, 5, "tpm");
	}

	@Test
	void waitsForOthersEvenIfItHasTakenNothingItself() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim claim = account.take(0);
		account.at(1).observe(claim, remaining(0));
		account.assertWaits(1, 59, "tpm");
	}

	@Test
	void appliesToTheModelGroupIfItHasSuchALimit() {
		TestAccount account = TestAccount.of(LimitPlan.of(tpm(100), rpm(10)),
				new ModelGroup("small", List.of("small"), LimitPlan.of(tpm(50))));
		Claim claim = account.take(call(10).withModel("small"));
		account.at(1)
			.observe(claim, remaining(0), new Observed(Counted.REQUESTS, Duration.ofMinutes(1), 10L, 0L, null));
		assertThat(account.used("tpm")).isEqualTo(10);
		assertThat(account.used("rpm")).isEqualTo(10);
		assertThat(account.snapshot().models().get("small").limits().get(0).used()).isEqualTo(50);
	}

	@Test
	void appliesOnlyToTheWindowItNames() {
		TestAccount account = TestAccount.of(tpm(100));
		Claim claim = account.take(10);
		account.observe(claim, new Observed(Counted.TOKENS, Duration.ofHours(24), 5000L, 0L, null));
		assertThat(account.used("tpm")).isEqualTo(10);
	}

	@Test
	void ignoresAnAnnouncementWithoutALevelAndAResetOfAnyLength() {
		TestAccount account = TestAccount.of(tpm(100), bucket(60));
		Claim claim = account.take(10);
		account.observe(claim, new Observed(Counted.TOKENS, null, 100L, null, null));
		assertThat(account.used("tpm")).isEqualTo(10);
		account.observe(claim, remaining(50, Duration.ofSeconds(Long.MAX_VALUE)));
		assertThat(account.used("tpm")).isEqualTo(50);
	}

}
