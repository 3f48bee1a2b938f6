package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.List;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.github.llmratelimit.limit.TestAccount.bucket;
import static io.github.llmratelimit.limit.TestAccount.call;
import static io.github.llmratelimit.limit.TestAccount.guess;
import static io.github.llmratelimit.limit.TestAccount.limit;
import static io.github.llmratelimit.limit.TestAccount.rpm;
import static io.github.llmratelimit.limit.TestAccount.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of all limits of an account together.
 */
class AccountLimitsTests {

	private static final LlmCall SMALL = call(10).withModel("small-1");

	private static final ThrottleSignal REFUSED = refused(Tripped.UNKNOWN);

	private static ThrottleSignal refused(Tripped tripped) {
		return ThrottleSignal.throttled(tripped, null, "slow down");
	}

	private static ModelGroup small(LimitPlan plan) {
		return new ModelGroup("small", List.of("small*"), plan);
	}

	@Test
	void admitsEverythingWithoutLimits() {
		TestAccount account = TestAccount.of(LimitPlan.UNLIMITED);
		account.take(1000, 1_000_000);
		assertThat(account.snapshot().inFlight()).isEqualTo(1000);
	}

	@Test
	void waitsForTheLongestOfItsLimits() {
		TestAccount account = TestAccount.of(rpm(2), bucket(60));
		account.take(30);
		account.at(5).take(30);
		account.at(6).assertWaits(10, 54, "rpm");
		account.at(60.5).assertWaits(60, 9.5, "tpm");
	}

	@Test
	void takesNothingOfAnyLimitWhenOneRefuses() {
		TestAccount account = TestAccount.of(LimitPlan.of(rpm(100), tpm(100)).withMaxConcurrency(1),
				small(LimitPlan.of(tpm(50))));
		Claim claim = account.take(SMALL);
		LevelSnapshot before = account.snapshot();
		assertThat(account.reserve(SMALL).isGranted()).isFalse();
		assertThat(account.snapshot()).isEqualTo(before);
		account.answer(claim, 10);
		before = account.snapshot();
		assertThat(account.reserve(call(41).withModel("small-2")).isGranted()).isFalse();
		assertThat(account.reserve(call(91)).isGranted()).isFalse();
		assertThat(account.snapshot()).isEqualTo(before);
	}

	@Test
	void takesOfAccountAndModelGroup() {
		TestAccount account = TestAccount.of(LimitPlan.of(tpm(100)), small(LimitPlan.of(tpm(50))));
		account.take(SMALL);
		account.take(call(80));
		LevelSnapshot snapshot = account.snapshot();
		assertThat(snapshot.limits().get(0).used()).isEqualTo(90);
		assertThat(snapshot.models().get("small").limits().get(0).used()).isEqualTo(10);
		Verdict verdict = account.reserve(call(45).withModel("small-1"));
		assertThat(verdict.blockedBy()).isNotNull();
		account.at(60).take(call(45).withModel("small-1"));
	}

	@Test
	void saysWhetherAccountOrModelGroupBlocks() {
		TestAccount account = TestAccount.of(LimitPlan.of(tpm(100)), small(LimitPlan.of(tpm(50))));
		account.take(call(50).withModel("small-1"));
		assertThat(account.reserve(SMALL).blockedBy())
			.isEqualTo(new BlockedBy("default", "small", "tpm", Counted.TOKENS));
		account.at(1).take(50);
		assertThat(account.reserve(SMALL).blockedBy()).isEqualTo(new BlockedBy("default", "*", "tpm", Counted.TOKENS));
	}

	@Test
	void waitsForAReleaseWhenAllSlotsAreTaken() {
		TestAccount account = TestAccount.of(LimitPlan.of(rpm(100)).withMaxConcurrency(2));
		Claim first = account.take(0);
		account.take(0);
		Verdict verdict = account.reserve(0);
		assertThat(verdict.kind()).isEqualTo(Verdict.Kind.WAIT_FOR_RELEASE);
		assertThat(verdict.blockedBy()).isEqualTo(new BlockedBy("default", "*", "max-concurrency", null));
		account.settle(first, CallOutcome.FAILED, null);
		account.take(0);
		assertThat(account.reserve(0).isGranted()).isFalse();
	}

	@Test
	void lowersNeitherConcurrencyNorSmallRequestLimitsByTheMargin() {
		TestAccount account = TestAccount
			.of(LimitPlan.of(rpm(19).withMargin(0.5), tpm(100).withMargin(0.001)).withMaxConcurrency(21));
		account.take(19, 0);
		assertThat(account.reserve(0).blockedBy()).extracting(BlockedBy::limit).isEqualTo("rpm");
		account.at(60).take(1);
		assertThat(account.reserve(1).blockedBy()).extracting(BlockedBy::limit).isEqualTo("tpm");
	}

	@Test
	void namesTheLimitThatACallCanNeverFit() {
		TestAccount account = TestAccount.of(rpm(1), tpm(100).withMargin(0.5));
		account.take(10);
		Verdict verdict = account.reserve(101);
		assertThat(verdict.kind()).isEqualTo(Verdict.Kind.NEVER_FITS);
		assertThat(verdict.blockedBy()).isEqualTo(new BlockedBy("default", "*", "tpm", Counted.TOKENS));
		assertThat(verdict.ceiling()).isEqualTo(100);
		assertThat(account.reserve(100).kind()).isEqualTo(Verdict.Kind.WAIT);
	}

	@Test
	void namesTheLimitOfTheModelGroupThatACallCanNeverFit() {
		TestAccount account = TestAccount.of(LimitPlan.of(tpm(1000)), small(LimitPlan.of(tpm(50))));
		Verdict verdict = account.reserve(call(51).withModel("small-1"));
		assertThat(verdict.kind()).isEqualTo(Verdict.Kind.NEVER_FITS);
		assertThat(verdict.blockedBy()).extracting(BlockedBy::modelGroup).isEqualTo("small");
		assertThat(account.reserve(51)).isEqualTo(Verdict.GRANTED);
	}

	@Test
	void cutsGuessedOutputToWhatFitsEveryLimit() {
		TestAccount account = TestAccount.of(LimitPlan.of(tpm(100).withMargin(0.9)),
				small(LimitPlan.of(limit("otpm", Counted.OUTPUT_TOKENS, 50, LimitAlgorithm.TOKEN_BUCKET))));
		Claim claim = account.take(guess(20, 5000));
		assertThat(claim.call().tokens()).isEqualTo(new TokenEstimate(20, 70, true));
		Claim inGroup = account.at(60).take(guess(20, 5000).withModel("small-1"));
		assertThat(inGroup.call().tokens().output()).isEqualTo(50);
	}

	@Test
	void doesNotCutWhatFits() {
		Claim claim = TestAccount.of(tpm(100)).take(guess(20, 80));
		assertThat(claim.call().tokens().output()).isEqualTo(80);
	}

	@Test
	void countsTheUnitsThatCallsState() {
		TestAccount account = TestAccount.of(images(10));
		account.take(call(1).withUnits(4));
		account.take(call(1).withUnits(5));
		account.take(call(1).withUnits(0));
		Verdict verdict = account.reserve(call(1).withUnits(2));
		assertThat(verdict.kind()).isEqualTo(Verdict.Kind.WAIT);
		assertThat(verdict.blockedBy()).extracting(BlockedBy::limit).isEqualTo("images");
		assertThat(account.reserve(call(1))).as("one unit where nothing is said").isEqualTo(Verdict.GRANTED);
		assertThat(account.reserve(call(1).withUnits(11)).kind()).isEqualTo(Verdict.Kind.NEVER_FITS);
		assertThat(account.at(60).reserve(call(1).withUnits(10))).isEqualTo(Verdict.GRANTED);
	}

	@Test
	void usageDoesNotChangeUnitsButRefusalsGiveThemBack() {
		TestAccount account = TestAccount.of(images(10));
		Claim answered = account.take(call(5).withUnits(5));
		account.settle(answered, CallOutcome.SUCCESS, new TokenUsage(900, 900));
		Claim refused = account.take(call(5).withUnits(5));
		assertThat(account.reserve(call(5)).isGranted()).isFalse();
		account.settle(refused, CallOutcome.REJECTED, null);
		account.take(call(5).withUnits(5));
		assertThat(account.reserve(call(5)).isGranted()).isFalse();
	}

	@Test
	void unitsCutNoOutput() {
		TestAccount account = TestAccount.of(images(10).withMargin(0.5));
		Claim claim = account.take(guess(20, 80).withUnits(10));
		assertThat(claim.call().tokens().output()).isEqualTo(80);
		assertThat(images(10).withMargin(0.5).effective()).as("small limits are whole").isEqualTo(10);
	}

	private static Limit images(long amount) {
		return limit("images", Counted.UNITS, amount, LimitAlgorithm.SLIDING_WINDOW);
	}

	@Test
	void cutsNoInput() {
		TestAccount account = TestAccount.of(limit("itpm", Counted.INPUT_TOKENS, 50, LimitAlgorithm.SLIDING_WINDOW),
				tpm(100));
		assertThat(account.reserve(guess(51, 10)).blockedBy()).extracting(BlockedBy::limit).isEqualTo("itpm");
		assertThat(account.reserve(guess(50, 500))).isEqualTo(Verdict.GRANTED);
	}

	@Test
	void cutsOutputAnewForEachAccount() {
		Claim claim = new TestAccount(ProviderPlan.of("test", LimitPlan.UNLIMITED)).claim(guess(0, 500));
		TestAccount narrow = TestAccount.of(tpm(100));
		narrow.take(1);
		assertThat(narrow.reserve(claim).isGranted()).isFalse();
		TestAccount wide = TestAccount.of(tpm(1000));
		assertThat(wide.reserve(claim)).isEqualTo(Verdict.GRANTED);
		assertThat(wide.used("tpm")).isEqualTo(500);
	}

	@Test
	void failsReservedOutputThatCanNeverFit() {
		TestAccount account = TestAccount.of(tpm(100));
		assertThat(account.reserve(call(20).withTokens(20, 81)).kind()).isEqualTo(Verdict.Kind.NEVER_FITS);
	}

	@Test
	void correctsAReservationOnlyIfTheProviderGivesBack() {
		ProviderPlan plan = ProviderPlan.of("test", LimitPlan.of(tpm(1000))).withGivesBack(false);
		TestAccount account = new TestAccount(plan);
		account.answer(account.take(call(0).withTokens(10, 90)), 40);
		assertThat(account.used("tpm")).isEqualTo(100);
		account.answer(account.take(guess(10, 90)), 40);
		assertThat(account.used("tpm")).isEqualTo(140);
	}

	@ParameterizedTest
	@EnumSource(CallOutcome.class)
	void freesTheSlotWhateverTheOutcome(CallOutcome outcome) {
		TestAccount account = TestAccount.of(LimitPlan.UNLIMITED.withMaxConcurrency(1), small(LimitPlan.UNLIMITED));
		Claim claim = account.take(SMALL);
		account.settle(claim, outcome, new TokenUsage(1, 1));
		assertThat(account.snapshot().inFlight()).isZero();
		assertThat(account.snapshot().models().get("small").inFlight()).isZero();
		account.take(SMALL);
	}

	@Test
	void closesTheAccountForACooldown() {
		TestAccount account = TestAccount.of(LimitPlan.UNLIMITED, small(LimitPlan.of(rpm(10))));
		Claim claim = account.take(0);
		account.at(1).coolDown(claim, REFUSED, Duration.ofSeconds(7));
		assertThat(account.snapshot().state()).isEqualTo(LevelSnapshot.State.COOLING_DOWN);
		assertThat(account.snapshot().cause()).isEqualTo("slow down");
		assertThat(account.snapshot().closedFor()).isEqualTo(Duration.ofSeconds(7));
		account.assertWaits(SMALL, 7, "cooldown");
		assertThat(account.snapshot().state()).isEqualTo(LevelSnapshot.State.PROBING);
	}

	@Test
	void closesOnlyTheModelGroupWhoseLimitWasHit() {
		TestAccount account = TestAccount.of(LimitPlan.UNLIMITED, small(LimitPlan.of(rpm(10))));
		account.coolDown(account.take(SMALL), refused(Tripped.REQUESTS), Duration.ofSeconds(4));
		account.take(0);
		account.assertWaits(SMALL, 4, "cooldown");
		account.coolDown(account.take(SMALL), refused(Tripped.TOKENS), Duration.ofSeconds(5));
		account.assertWaits(0, 5, "cooldown");
	}

	@Test
	void neverShortensACooldown() {
		TestAccount account = TestAccount.of(LimitPlan.UNLIMITED);
		Claim claim = account.take(0);
		account.coolDown(claim, REFUSED, Duration.ofSeconds(10));
		account.coolDown(claim, REFUSED, Duration.ofSeconds(3));
		account.at(1).coolDown(claim, REFUSED, Duration.ofSeconds(8));
		account.assertWaits(0, 9, "cooldown");
	}

	@Test
	void survivesACooldownOfAnyLength() {
		TestAccount account = TestAccount.of(LimitPlan.UNLIMITED);
		account.at(1).coolDown(account.take(0), REFUSED, Duration.ofSeconds(Long.MAX_VALUE));
		Verdict verdict = account.reserve(0);
		assertThat(verdict.kind()).isEqualTo(Verdict.Kind.WAIT);
		assertThat(account.now() + verdict.waitNanos()).isPositive();
	}

	@Test
	void waitsForTheReleaseRatherThanTheCooldownIfBothHoldItUp() {
		TestAccount account = TestAccount.of(LimitPlan.UNLIMITED.withMaxConcurrency(1));
		Claim claim = account.take(0);
		account.coolDown(claim, REFUSED, Duration.ofSeconds(10));
		assertThat(account.reserve(0).kind()).isEqualTo(Verdict.Kind.WAIT_FOR_RELEASE);
		account.settle(claim, CallOutcome.THROTTLED, null);
		account.assertWaits(0, 10, "cooldown");
	}

	@Test
	void endsTheRunOfRefusalsByASuccessThatStartedAfterTheLastOne() {
		TestAccount account = TestAccount.of(LimitPlan.UNLIMITED);
		Claim before = account.take(0);
		Claim refused = account.take(0);
		account.at(1).coolDown(refused, REFUSED, Duration.ofSeconds(1));
		account.at(2).coolDown(account.take(0), REFUSED, Duration.ofSeconds(1));
		account.answer(before, 0);
		assertThat(account.snapshot().consecutiveThrottles()).isEqualTo(2);
		account.at(4).answer(account.take(0), 0);
		assertThat(account.snapshot().consecutiveThrottles()).isZero();
	}

	@Test
	void toleratesATimeThatGoesBack() {
		TestAccount account = TestAccount.of(rpm(2), bucket(60));
		account.at(10).take(30);
		account.at(9.9).take(30);
		account.at(10).assertWaits(1, 60, "rpm");
	}

}
