package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.llmratelimit.AdaptiveRules;
import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ClosingRules;
import io.github.llmratelimit.ClosingRules.Scope;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitLearning;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LimitSnapshot.Source;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.github.llmratelimit.limit.TestAccount.bucket;
import static io.github.llmratelimit.limit.TestAccount.rpm;
import static io.github.llmratelimit.limit.TestAccount.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for limits that follow what the provider accepts, and for the spacing that
 * follows from refusals.
 */
class AdaptiveLimitsTests {

	private static final AdaptiveRules RULES = AdaptiveRateTests.RULES;

	private static ProviderPlan plan(Limit... limits) {
		return ProviderPlan.of("test", LimitPlan.of(limits))
			.withAdaptive(RULES)
			.withClosing(new ClosingRules(Scope.REQUEST, List.of(), Duration.ofMinutes(10), false));
	}

	private static void refuse(TestAccount account, Claim claim, Tripped tripped) {
		account.coolDown(claim, ThrottleSignal.throttled(tripped, null, null), Duration.ofSeconds(1));
		account.settle(claim, CallOutcome.THROTTLED, null);
	}

	private static LimitSnapshot limit(TestAccount account, String name) {
		return account.snapshot()
			.limits()
			.stream()
			.filter((candidate) -> candidate.limit().name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void usesAShareAtFirst() {
		TestAccount account = new TestAccount(plan(rpm(100), tpm(1000)));
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(80);
		assertThat(limit(account, "tpm").effectiveLimit()).isEqualTo(800);
		assertThat(limit(account, "tpm").source()).isEqualTo(Source.ADAPTED);
		account.take(80, 1);
		assertThat(account.reserve(1).kind()).isEqualTo(Verdict.Kind.WAIT);
	}

	@Test
	void leavesSmallRequestLimitsAndQuotasWholeAtFirst() {
		Limit daily = Limit.of("daily", Counted.REQUESTS, 1000, Duration.ofDays(1), LimitAlgorithm.FIXED_WINDOW);
		TestAccount account = new TestAccount(plan(rpm(10), daily));
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(10);
		assertThat(limit(account, "daily").effectiveLimit()).isEqualTo(1000);
		refuse(account, account.at(1).take(1), Tripped.REQUESTS);
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(7);
		assertThat(limit(account, "daily").effectiveLimit()).isEqualTo(1000);
	}

	@Test
	void growsWhileCallsWaitForIt() {
		TestAccount account = new TestAccount(plan(rpm(100)));
		account.take(80, 1);
		assertThat(account.reserve(1).waitNanos()).as("sooner than the window").isEqualTo(10 * TestAccount.SECOND);
		assertThat(account.at(10).reserve(1).isGranted()).isTrue();
		account.take(1);
		assertThat(account.reserve(1).waitNanos()).isEqualTo(10 * TestAccount.SECOND);
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(82);
	}

	@Test
	void doesNotGrowWhileNobodyWaits() {
		TestAccount account = new TestAccount(plan(rpm(100)));
		for (int i = 0; i < 100; i++) {
			account.at(10 * i).take(1);
		}
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(80);
	}

	@Test
	void neverGrowsAboveWhatIsConfigured() {
		TestAccount account = new TestAccount(plan(rpm(100)));
		saturate(account, 600);
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(100);
		assertThat(limit(account, "rpm").source()).isEqualTo(Source.CONFIGURED);
	}

	@Test
	void growsAboveWhatIsConfiguredIfItMay() {
		AdaptiveRules unbounded = new AdaptiveRules(0.8, 0.02, Duration.ofSeconds(10), 0.3, true, RULES.found());
		TestAccount account = new TestAccount(plan(rpm(100)).withAdaptive(unbounded));
		saturate(account, 600);
		assertThat(limit(account, "rpm").effectiveLimit()).isGreaterThan(180);
		assertThat(limit(account, "rpm").limit().amount()).isEqualTo(100);
	}

	private static void saturate(TestAccount account, int seconds) {
		for (int second = 0; second < seconds; second++) {
			account.at(second);
			while (account.reserve(1).isGranted()) {
				assertThat(account.snapshot().inFlight()).isPositive();
			}
		}
	}

	@Test
	void isCutOnceForABurstAndNeverBelowOne() {
		TestAccount account = new TestAccount(plan(rpm(100)));
		Claim first = account.at(1).take(1);
		Claim second = account.at(2).take(1);
		refuse(account.at(3), first, Tripped.REQUESTS);
		refuse(account, second, Tripped.REQUESTS);
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(56);
		for (int i = 0; i < 30; i++) {
			refuse(account.at(100 + 100 * i), account.take(1), Tripped.REQUESTS);
		}
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(1);
	}

	@Test
	void onlyTheTrippedLimitIsCutTheFullestIfItIsUnknown() {
		TestAccount account = new TestAccount(plan(rpm(100), bucket(1000)));
		refuse(account.at(1), account.take(1), Tripped.TOKENS);
		assertThat(limit(account, "tpm").effectiveLimit()).isEqualTo(560);
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(80);
		account.at(100).take(30, 0);
		refuse(account.at(101), account.take(0), Tripped.UNKNOWN);
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(56);
		assertThat(limit(account, "tpm").effectiveLimit()).isEqualTo(560);
	}

	@Test
	void theLimitOfAModelGroupIsCutThereAlone() {
		ModelGroup small = new ModelGroup("small", List.of("small"), LimitPlan.of(rpm(50)));
		TestAccount account = new TestAccount(
				ProviderPlan.of("test", LimitPlan.of(tpm(1000)), small).withAdaptive(RULES));
		LlmCall call = TestAccount.call(1).withModel("small");
		refuse(account.at(1), account.take(call), Tripped.REQUESTS);
		assertThat(account.snapshot().models().get("small").limits().get(0).effectiveLimit()).isEqualTo(28);
		assertThat(limit(account, "tpm").effectiveLimit()).isEqualTo(800);
	}

	@ParameterizedTest
	@EnumSource(names = { "OVERLOADED", "QUOTA_EXHAUSTED", "BANNED", "FAILED" })
	void nothingElseCutsIt(CallOutcome outcome) {
		TestAccount account = new TestAccount(plan(rpm(100)));
		account.coolDown(account.at(1).take(1), ThrottleSignal.of(outcome), Duration.ZERO);
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(80);
	}

	@Test
	void tooManyCallsInFlightDoNotCutIt() {
		TestAccount account = new TestAccount(plan(rpm(100)));
		refuse(account.at(1), account.take(1), Tripped.CONCURRENCY);
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(80);
	}

	@Test
	void followsAnAnnouncementAtOnceAndIsNotCutMeanwhile() {
		LimitLearning learning = new LimitLearning(false, RULES.found());
		TestAccount account = new TestAccount(plan(rpm(100)).withLearning(learning));
		Claim claim = account.at(1).take(1);
		account.observe(claim, new Observed(Counted.REQUESTS, Duration.ofMinutes(1), 60L, 59L, null));
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(60);
		assertThat(limit(account, "rpm").source()).isEqualTo(Source.LEARNED);
		refuse(account.at(2), account.take(1), Tripped.REQUESTS);
		assertThat(limit(account, "rpm").effectiveLimit()).isEqualTo(60);
	}

	@Test
	void findsALimitThatNobodyHasConfigured() {
		TestAccount account = new TestAccount(plan());
		List<Claim> crowd = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			crowd.add(account.at(1).take(5));
		}
		account.at(2);
		crowd.subList(40, 100).forEach((claim) -> refuse(account, claim, Tripped.REQUESTS));
		LimitSnapshot found = limit(account, "requests");
		assertThat(found.limit().amount()).as("what was not refused").isEqualTo(40);
		assertThat(found.effectiveLimit()).isEqualTo(28);
		assertThat(found.used()).isEqualTo(40);
		assertThat(found.source()).isEqualTo(Source.ADAPTED);
		assertThat(account.at(61).reserve(5).kind()).isEqualTo(Verdict.Kind.WAIT);
		assertThat(account.at(62).reserve(5).isGranted()).isTrue();
		saturate(account.at(62), 662);
		assertThat(limit(account, "requests").effectiveLimit()).as("grows on").isGreaterThan(40);
	}

	@Test
	void findsALimitOfTokens() {
		TestAccount account = new TestAccount(plan());
		account.at(1).take(9, 100);
		refuse(account.at(2), account.take(100), Tripped.TOKENS);
		assertThat(limit(account, "tokens").limit().amount()).isEqualTo(900);
		assertThat(limit(account, "tokens").effectiveLimit()).isEqualTo(630);
	}

	@Test
	void doesNothingIfItIsNotEnabled() {
		TestAccount account = new TestAccount(plan().withAdaptive(null));
		refuse(account.at(1), account.take(1), Tripped.REQUESTS);
		assertThat(account.snapshot().limits()).isEmpty();
		TestAccount limited = new TestAccount(plan(rpm(100)).withAdaptive(null));
		refuse(limited.at(1), limited.take(1), Tripped.REQUESTS);
		assertThat(limit(limited, "rpm").effectiveLimit()).isEqualTo(100);
	}

	@Test
	void spacesCallsAfterARefusalOfSeveralInOneSlice() {
		TestAccount account = new TestAccount(plan(rpm(120)).withAdaptive(null));
		account.at(1).take(2, 0);
		refuse(account.at(1.1), account.take(0), Tripped.REQUESTS);
		account.take(2, 0);
		account.assertWaits(0, 1.0, "rpm");
	}

	@Test
	void aLoneCallThatIsRefusedSaysNothingOfSlices() {
		TestAccount account = new TestAccount(plan(rpm(120)).withAdaptive(null));
		account.at(1).take(2, 0);
		refuse(account.at(3), account.take(0), Tripped.REQUESTS);
		account.take(100, 0);
	}

	@Test
	void spacesCallsForAnHour() {
		TestAccount account = new TestAccount(plan(rpm(120)).withAdaptive(null));
		account.take(2, 0);
		refuse(account, account.take(0), Tripped.REQUESTS);
		account.at(3599).take(2, 0);
		assertThat(account.reserve(0).kind()).isEqualTo(Verdict.Kind.WAIT);
		account.at(3600).take(100, 0);
	}

	@Test
	void spacesTokensByABucketThatMayLeaveDebt() {
		TestAccount account = new TestAccount(plan(bucket(60_000)).withAdaptive(null));
		account.take(900);
		refuse(account, account.take(900), Tripped.TOKENS);
		account.take(2000);
		assertThat(account.reserve(1).waitNanos()).isBetween(TestAccount.SECOND, 2 * TestAccount.SECOND);
	}

	@Test
	void keepsTheSpacingWhenTheLimitMoves() {
		TestAccount account = new TestAccount(plan(rpm(120)));
		account.at(1).take(2, 0);
		refuse(account.at(1.1), account.take(0), Tripped.REQUESTS);
		Claim third = account.at(3).take(0);
		refuse(account.at(3.1), third, Tripped.REQUESTS);
		assertThat(account.reserve(0).kind()).as("the second cut forgets nothing").isEqualTo(Verdict.Kind.WAIT);
	}

	@Test
	void spacesTheAccountThoughTheLearnedLimitOfTheModelIsFuller() {
		LimitLearning learning = new LimitLearning(true, RULES.found());
		TestAccount account = new TestAccount(plan(rpm(120)).withAdaptive(null).withLearning(learning));
		LlmCall call = LlmCall.to("test").withModel("gpt");
		Claim first = account.take(call);
		account.observe(first, new Observed(Counted.REQUESTS, Duration.ofMinutes(1), 6000L, 5900L, null));
		account.at(1).take(2, 0);
		Claim refused = account.take(call);
		account.observe(refused,
				new Observed(Counted.REQUESTS, Duration.ofMinutes(1), 6000L, 0L, Duration.ofSeconds(1)));
		refuse(account.at(1.1), refused, Tripped.REQUESTS);
		account.at(10).take(2, 0);
		assertThat(account.reserve(0).kind()).isEqualTo(Verdict.Kind.WAIT);
	}

}
