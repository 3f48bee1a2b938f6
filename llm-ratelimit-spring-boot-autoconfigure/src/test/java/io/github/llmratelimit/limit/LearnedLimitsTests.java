package io.github.llmratelimit.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitLearning;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LimitSnapshot.Source;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.TokenUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class LearnedLimitsTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final LimitLearning OF_ACCOUNT = new LimitLearning(false, LearnedLimitsTests::limit);

	private static final LimitLearning OF_MODELS = new LimitLearning(true, LearnedLimitsTests::limit);

	private static Limit limit(Counted counts, long amount, Duration per) {
		return Limit.of(counts + " per " + per, counts, amount, per, LimitAlgorithm.SLIDING_WINDOW);
	}

	@Test
	void oneCallAtATimeUntilTheFirstResponse() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_ACCOUNT);
		Claim first = account.take(call("a"));
		account.at(3).assertWaits(call("b"), 7, "first-response");
		account.at(4);
		account.observe(first);
		account.take(call("a"));
		account.take(call("b"));
	}

	@Test
	void aFirstCallThatIsNotAnsweredHoldsUpOthersForSomeSecondsOnly() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_ACCOUNT);
		account.take(call("a"));
		account.at(10).take(call("a"));
		account.at(15).assertWaits(call("a"), 5, "first-response");
	}

	@Test
	void aFirstCallThatLeavesWithoutAResponseTeachesNothing() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_ACCOUNT);
		account.limits.settle(account.take(call("a")), CallOutcome.CANCELLED, null);
		Claim second = account.take(call("a"));
		assertThat(account.reserve(call("a")).isGranted()).isFalse();
		account.limits.settle(second, CallOutcome.FAILED, null);
		account.take(call("a"));
		account.take(call("a"));
	}

	@Test
	void everyModelBeginsCautiouslyWhereModelsAreSeparated() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_MODELS);
		account.observe(account.take(call("a")));
		account.take(call("a"));
		account.take(call("b"));
		assertThat(account.reserve(call("b")).isGranted()).isFalse();
		assertThat(account.reserve(call("a")).isGranted()).isTrue();
	}

	@Test
	void whereLimitsAreConfiguredNothingHasToBeAwaited() {
		Account account = new Account(LimitPlan.of(limit(Counted.REQUESTS, 2, MINUTE)), OF_ACCOUNT);
		account.take(call("a"));
		account.take(call("a"));
	}

	@Test
	void theAnnouncedCeilingIsKept() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_ACCOUNT);
		assertThat(account.observe(account.take(call("a")), requests(3, 2))).containsExactly(new LearnedLimit(
				new LimitScope("test", "default", ProviderPlan.ANY_MODEL), limit(Counted.REQUESTS, 3, MINUTE)));
		assertThat(account.snapshot().limits()).singleElement().satisfies((limit) -> {
			assertThat(limit.source()).isEqualTo(Source.LEARNED);
			assertThat(limit.effectiveLimit()).isEqualTo(3);
			assertThat(limit.used()).isEqualTo(1);
		});
		account.take(call("a"));
		account.take(call("b"));
		account.assertWaits(call("a"), 60, "REQUESTS per PT1M");
	}

	@Test
	void aLearnedCeilingFollowsBothWays() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_ACCOUNT);
		account.observe(account.take(call("a")), requests(3, 2));
		assertThat(account.observe(account.at(1).take(call("a")), requests(2, 1))).isEmpty();
		assertThat(account.ceilings()).containsExactly(2L);
		account.observe(account.at(62).take(call("a")), requests(500, 499));
		assertThat(account.ceilings()).containsExactly(500L);
	}

	@Test
	void anOlderAnswerChangesNothing() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_ACCOUNT);
		account.observe(account.take(call("a")), requests(10, 9));
		Claim older = account.at(1).take(call("a"));
		account.observe(account.at(2).take(call("a")), requests(20, 18));
		account.observe(older, requests(5, 4));
		assertThat(account.ceilings()).containsExactly(20L);
	}

	@Test
	void aConfiguredCeilingFollowsButNeverAboveItself() {
		Account account = new Account(LimitPlan.of(limit(Counted.REQUESTS, 10, MINUTE)), OF_ACCOUNT);
		account.observe(account.take(call("a")), requests(4, 3));
		assertThat(account.ceilings()).containsExactly(4L);
		assertThat(account.snapshot().limits().get(0).source()).isEqualTo(Source.LEARNED);
		account.observe(account.at(1).take(call("a")), requests(99, 98));
		assertThat(account.ceilings()).containsExactly(10L);
		assertThat(account.snapshot().limits().get(0).source()).isEqualTo(Source.CONFIGURED);
	}

	@Test
	void withoutLearningCeilingsStayAsConfigured() {
		Account account = new Account(LimitPlan.of(limit(Counted.REQUESTS, 10, MINUTE)), null);
		assertThat(account.observe(account.take(call("a")), requests(4, 3), tokens(100, 50))).isEmpty();
		assertThat(account.ceilings()).containsExactly(10L);
	}

	@Test
	void ofSeveralCeilingsOfOneWindowTheLowestCounts() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_ACCOUNT);
		for (int second = 0; second < 3; second++) {
			account.observe(account.at(second).take(call("a")), tokens(1000, 900), tokens(200, 190));
			assertThat(account.ceilings()).containsExactly(200L);
		}
	}

	@Test
	void whatIsNotALimitOverTimeTeachesNothing() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_ACCOUNT);
		assertThat(account.observe(account.take(call("a")), new Observed(Counted.REQUESTS, null, 5L, 4L, null),
				new Observed(Counted.REQUESTS, MINUTE, null, 4L, null),
				new Observed(Counted.REQUESTS, MINUTE, 0L, 0L, null),
				new Observed(Counted.REQUESTS, MINUTE, -1L, null, null)))
			.isEmpty();
		assertThat(account.ceilings()).isEmpty();
	}

	@Test
	void modelsLearnEachForItself() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_MODELS);
		account.observe(account.take(call("a")), requests(1, 0));
		account.observe(account.take(call("b")), requests(3, 2));
		assertThat(account.snapshot().limits()).isEmpty();
		assertThat(account.snapshot().models()).containsOnlyKeys("a", "b");
		account.at(1).assertWaits(call("a"), 59, "REQUESTS per PT1M");
		account.at(1).take(call("b"));
	}

	@Test
	void callsThatWaitedForTheFirstResponseKeepWhatItTeaches() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_MODELS);
		Claim first = account.take(call("a"));
		Claim waiting = account.claim(call("a"));
		assertThat(account.reserve(waiting).isGranted()).isFalse();
		account.observe(first, requests(1, 0));
		assertThat(account.reserve(waiting).isGranted()).isFalse();
		assertThat(account.at(60).reserve(waiting)).isEqualTo(Verdict.GRANTED);
		assertThat(waiting.scope().modelGroup()).isEqualTo("a");
	}

	@Test
	void aModelsCeilingIsNotTheAccounts() {
		Account account = new Account(LimitPlan.of(limit(Counted.REQUESTS, 10, MINUTE)), OF_MODELS);
		account.observe(account.take(call("a")), requests(4, 3));
		assertThat(account.ceilings()).containsExactly(10L);
		assertThat(account.snapshot().models().get("a").limits()).singleElement()
			.satisfies((limit) -> assertThat(limit.effectiveLimit()).isEqualTo(4));
		account.observe(account.take(call("b")), requests(10, 2));
		assertThat(account.snapshot().limits().get(0).remaining()).isEqualTo(2);
	}

	@Test
	void aConfiguredGroupLearnsForItsModels() {
		ModelGroup small = new ModelGroup("small", List.of("mini*"), LimitPlan.of(limit(Counted.REQUESTS, 10, MINUTE)));
		Account account = new Account(LimitPlan.UNLIMITED, OF_MODELS, small);
		assertThat(account.observe(account.take(call("mini-1")), requests(4, 3), tokens(100, 90))).singleElement()
			.satisfies((learned) -> assertThat(learned.scope().modelGroup()).isEqualTo("small"));
		assertThat(account.snapshot().models().get("small").limits()).extracting(LimitSnapshot::effectiveLimit)
			.containsExactly(4L, 100L);
	}

	@Test
	void aModelNamedLikeAConfiguredGroupIsNotTakenForIt() {
		ModelGroup small = new ModelGroup("small", List.of("mini*"), LimitPlan.of(limit(Counted.REQUESTS, 10, MINUTE)));
		Account account = new Account(LimitPlan.UNLIMITED, OF_MODELS, small);
		assertThat(account.observe(account.take(call("small")), requests(4, 3))).isEmpty();
		assertThat(account.snapshot().models().get("small").limits().get(0).effectiveLimit()).isEqualTo(10);
	}

	@Test
	void whatWasTakenBeforeALimitWasLearnedIsNotGivenBackToIt() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_ACCOUNT);
		Claim first = account.take(call("a").withTokens(90, 0));
		account.at(1);
		account.observe(first, tokens(100, 10));
		account.limits.settle(first, CallOutcome.SUCCESS, new TokenUsage(1, 0));
		assertThat(account.snapshot().limits().get(0).remaining()).isEqualTo(10);
	}

	@Test
	void thereIsRoomForManyModelsButNotForAny() {
		Account account = new Account(LimitPlan.UNLIMITED, OF_MODELS);
		for (int i = 0; i < 5000; i++) {
			account.observe(account.take(call("model-" + i)), requests(5, 4));
		}
		assertThat(account.snapshot().models()).hasSize(100);
		assertThat(account.snapshot().limits()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(LimitAlgorithm.class)
	void whatIsUsedStaysUsedWhenTheCeilingChanges(LimitAlgorithm algorithm) {
		LimitLearning learning = new LimitLearning(false,
				(counts, amount, per) -> Limit.of("tokens", counts, amount, per, algorithm));
		Account account = new Account(LimitPlan.UNLIMITED, learning);
		account.observe(account.take(call("a")), tokens(100, 100));
		account.take(call("a").withTokens(60, 0));
		account.observe(account.take(call("a")), tokens(80, 20));
		assertThat(account.snapshot().limits().get(0).used()).isEqualTo(60);
		assertThat(account.reserve(call("a").withTokens(21, 0)).isGranted()).isFalse();
		account.observe(account.take(call("a")), tokens(200, 140));
		assertThat(account.reserve(call("a").withTokens(141, 0)).isGranted()).isFalse();
		account.take(call("a").withTokens(140, 0));
	}

	private static LlmCall call(String model) {
		return LlmCall.to("test").withModel(model);
	}

	private static Observed requests(long limit, long remaining) {
		return new Observed(Counted.REQUESTS, MINUTE, limit, remaining, null);
	}

	private static Observed tokens(long limit, long remaining) {
		return new Observed(Counted.TOKENS, MINUTE, limit, remaining, null);
	}

	/**
	 * An account that learns.
	 */
	private static final class Account {

		private final ProviderPlan plan;

		private final AccountLimits limits;

		private long now;

		Account(LimitPlan own, LimitLearning learning, ModelGroup... groups) {
			this.plan = ProviderPlan.of("test", own, groups).withLearning(learning);
			this.limits = new AccountLimits(this.plan, ProviderPlan.DEFAULT_ACCOUNT, new WallTime(Instant.EPOCH, 0));
		}

		Account at(long seconds) {
			this.now = Duration.ofSeconds(seconds).toNanos();
			return this;
		}

		Claim claim(LlmCall call) {
			return new Claim(call, this.plan.scopeOf(call));
		}

		Verdict reserve(LlmCall call) {
			return reserve(claim(call));
		}

		Verdict reserve(Claim claim) {
			return this.limits.reserve(claim, this.now);
		}

		Claim take(LlmCall call) {
			Claim claim = claim(call);
			assertThat(reserve(claim)).isEqualTo(Verdict.GRANTED);
			return claim;
		}

		List<LevelEvent> observe(Claim claim, Observed... observed) {
			return this.limits.observe(claim, new ObservedLimits(List.of(observed)), this.now);
		}

		void assertWaits(LlmCall call, long seconds, String limit) {
			Verdict verdict = reserve(call);
			assertThat(verdict.waitNanos()).isEqualTo(Duration.ofSeconds(seconds).toNanos());
			assertThat(verdict.blockedBy()).extracting(BlockedBy::limit).isEqualTo(limit);
		}

		LevelSnapshot snapshot() {
			return this.limits.snapshot(this.now);
		}

		List<Long> ceilings() {
			return snapshot().limits().stream().map(LimitSnapshot::effectiveLimit).toList();
		}

	}

}
