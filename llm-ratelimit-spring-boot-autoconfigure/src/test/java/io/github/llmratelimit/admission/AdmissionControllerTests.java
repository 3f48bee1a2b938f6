package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import io.github.llmratelimit.store.LocalLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.rpm;
import static io.github.llmratelimit.admission.TestAdmission.tokens;
import static io.github.llmratelimit.admission.TestAdmission.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link AdmissionController}: who goes when.
 */
class AdmissionControllerTests {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final ThrottleSignal REFUSED = ThrottleSignal.throttled(Tripped.UNKNOWN, null, "slow down");

	private static ModelGroup group(String name, LimitPlan plan) {
		return new ModelGroup(name, List.of(name), plan);
	}

	private static TestAdmission groups(LimitPlan account, ModelGroup... groups) {
		return new TestAdmission(ProviderPlan.of("test", account, groups));
	}

	private static LlmCall urgent(LlmCall call) {
		return call.withPriority(Priority.INTERACTIVE).withMaxWait(Duration.ofHours(1));
	}

	@Test
	void admitsAtOnceWhenNobodyWaits() {
		TestAdmission admission = TestAdmission.of(rpm(2));
		TestCall call = admission.admit();
		assertThat(call.permit().waited()).isZero();
		assertThat(call.permit().scope().account()).isEqualTo("default");
		assertThat(admission.time.timers()).isZero();
		call.complete();
		admission.assertNoTrace();
	}

	@Test
	void doesNothingBeforeTheSubscription() {
		TestAdmission admission = TestAdmission.of(rpm(1));
		admission.controller.acquire(CALL);
		admission.assertNoTrace();
		admission.admit();
	}

	@Test
	void takesAPermitForEachSubscription() {
		TestAdmission admission = TestAdmission.ofConcurrency(3);
		Mono<Permit> acquire = admission.controller.acquire(CALL);
		acquire.subscribe();
		acquire.subscribe();
		admission.assertState().hasInFlight(2);
	}

	@Test
	void doesNothingBeforeTheRequest() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		StepVerifier.create(admission.controller.acquire(CALL), 0)
			.then(() -> admission.assertState().isIdle())
			.thenRequest(1)
			.expectNextCount(1)
			.expectComplete()
			.verify(PATIENCE);
		admission.assertState().hasInFlight(1);
	}

	@Test
	void admitsWaitersInOrderOfArrival() {
		TestAdmission admission = TestAdmission.of(rpm(1));
		TestCall first = admission.enter();
		TestCall second = admission.enter();
		TestCall third = admission.enter();
		admission.advance(60);
		admission.assertAdmittedInOrder(first, second);
		admission.advance(59.999);
		third.assertWaiting();
		admission.advance(0.001);
		admission.assertAdmittedInOrder(first, second, third);
		assertThat(third.permit().waited()).isEqualTo(Duration.ofMinutes(2));
	}

	@Test
	void admitsWaiterWhenPermitCompletes() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall first = admission.admit();
		TestCall second = admission.enter().assertWaiting();
		first.complete();
		second.assertAdmitted();
		second.complete();
		admission.assertNoTrace();
	}

	@Test
	void admitsWaiterWhenTokensAreGivenBack() {
		TestAdmission admission = TestAdmission.of(tpm(60));
		TestCall first = admission.admit(tokens(60));
		TestCall second = admission.enter(tokens(30)).assertWaiting();
		first.permit().complete(CallOutcome.SUCCESS, new TokenUsage(30, 0));
		second.assertAdmitted();
	}

	@Test
	void doesNotLetASmallCallPassALargeOneOfItsScope() {
		TestAdmission admission = TestAdmission.of(tpm(60));
		admission.admit(tokens(50));
		TestCall large = admission.enter(tokens(40)).assertWaiting();
		TestCall small = admission.enter(tokens(10)).assertWaiting();
		admission.advance(30);
		admission.assertAdmittedInOrder(admission.admitted.get(0), large);
		admission.advance(10);
		small.assertAdmitted();
	}

	@Test
	void admitsByPriorityAndThenByArrival() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall holder = admission.admit();
		TestCall batch = admission.enter(CALL.withPriority(Priority.BATCH));
		TestCall normal = admission.enter();
		TestCall interactive = admission.enter(CALL.withPriority(Priority.INTERACTIVE));
		TestCall later = admission.enter(CALL.withPriority(Priority.INTERACTIVE));
		assertThat(admission.snapshot().waiting())
			.isEqualTo(Map.of(Priority.INTERACTIVE, 2, Priority.NORMAL, 1, Priority.BATCH, 1));
		for (TestCall call : List.of(holder, interactive, later, normal, batch)) {
			call.complete();
		}
		admission.assertAdmittedInOrder(holder, interactive, later, normal, batch);
		admission.assertNoTrace();
	}

	@Test
	void letsOtherGroupsPassABlockedOne() {
		TestAdmission admission = groups(LimitPlan.of(rpm(1000)), group("small", LimitPlan.of(rpm(1))),
				group("large", LimitPlan.of(rpm(2))));
		admission.admit(CALL.withModel("small"));
		TestCall small = admission.enter(urgent(CALL.withModel("small"))).assertWaiting();
		admission.admit(CALL.withModel("large"));
		admission.admit();
		admission.admit(CALL.withModel("large").withPriority(Priority.BATCH));
		admission.enter(CALL.withModel("large")).assertWaiting();
		admission.admit();
		small.assertWaiting();
		admission.advance(60);
		small.assertAdmitted();
	}

	@Test
	void isNotHeldUpByTheBacklogOfABlockedGroup() {
		TestAdmission admission = groups(LimitPlan.of(rpm(60)), group("small", LimitPlan.of(rpm(1))));
		for (int i = 0; i < 1000; i++) {
			admission.enter(CALL.withModel("small").withMaxWait(Duration.ofDays(1)));
		}
		admission.admit(CALL.withMaxWait(Duration.ofSeconds(1)));
	}

	@Test
	void keepsWhatALargeCallWaitsForFromOtherGroups() {
		TestAdmission admission = groups(LimitPlan.of(tpm(60)), group("small", LimitPlan.UNLIMITED));
		admission.admit(tokens(60));
		TestCall large = admission.enter(tokens(50)).assertWaiting();
		TestCall small = admission.enter(tokens(1).withModel("small")).assertWaiting();
		TestCall batch = admission.enter(tokens(1).withPriority(Priority.BATCH)).assertWaiting();
		admission.advance(49);
		small.assertWaiting();
		admission.advance(1);
		large.assertAdmitted();
		small.assertWaiting();
		admission.advance(2);
		small.assertAdmitted();
		batch.assertAdmitted();
	}

	@Test
	void letsACallThatNeedsNoTokensPassOneThatWaitsForThem() {
		TestAdmission admission = groups(LimitPlan.of(tpm(60)), group("small", LimitPlan.UNLIMITED));
		admission.admit(tokens(60));
		admission.enter(tokens(50)).assertWaiting();
		admission.admit(CALL.withModel("small"));
	}

	@Test
	void usesEveryAccountThatIsFree() {
		TestAdmission admission = new TestAdmission(TestAdmission.accounts(LimitPlan.of(rpm(1)), LimitPlan.of(rpm(2))));
		assertThat(admission.admit().permit().scope().account()).isEqualTo("a");
		assertThat(admission.admit().permit().scope().account()).isEqualTo("b");
		assertThat(admission.admit().permit().scope().account()).isEqualTo("b");
		TestCall waiting = admission.enter().assertWaiting();
		admission.advance(60);
		assertThat(waiting.permit().scope().account()).isEqualTo("a");
	}

	@Test
	void letsCallsOfAnotherAccountPass() {
		TestAdmission admission = new TestAdmission(TestAdmission.accounts(LimitPlan.of(rpm(1)), LimitPlan.of(rpm(2))));
		admission.admit(CALL.withAccount("a"));
		TestCall blocked = admission.enter(CALL.withAccount("a")).assertWaiting();
		admission.admit(CALL.withAccount("b"));
		assertThat(admission.admit().permit().scope().account()).isEqualTo("b");
		blocked.assertWaiting();
	}

	@Test
	void keepsWhatACallOfOneAccountWaitsForFromCallsOfAnyAccount() {
		TestAdmission admission = new TestAdmission(
				TestAdmission.accounts(LimitPlan.of(tpm(60)), LimitPlan.UNLIMITED.withMaxConcurrency(1)));
		admission.admit(tokens(60).withAccount("a"));
		admission.admit(CALL.withAccount("b"));
		TestCall large = admission.enter(tokens(50).withAccount("a")).assertWaiting();
		TestCall small = admission.enter(tokens(1)).assertWaiting();
		admission.advance(49);
		small.assertWaiting();
		admission.advance(1);
		large.assertAdmitted();
		small.assertWaiting();
	}

	@Test
	void aGroupThatIsBlockedInOneAccountHoldsUpNoOtherThere() {
		ProviderPlan accounts = TestAdmission.accounts(LimitPlan.of(tpm(60)), LimitPlan.UNLIMITED);
		TestAdmission admission = new TestAdmission(
				ProviderPlan.of("test", LimitPlan.UNLIMITED, group("small", LimitPlan.UNLIMITED.withMaxConcurrency(1)))
					.withAccounts(accounts.accounts()));
		admission.admit(tokens(60).withAccount("a"));
		admission.admit(tokens(10).withAccount("b").withModel("small"));
		admission.enter(tokens(10).withModel("small")).assertWaiting();
		assertThat(admission.admit(tokens(10)).permit().scope().account()).isEqualTo("b");
	}

	@Test
	void aRetriedCallComesBackInItsOldPlace() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall first = admission.admit();
		TestCall second = admission.enter();
		TestCall third = admission.enter();
		admission.advance(2);
		LlmCall again = first.permit().again(Duration.ofSeconds(1));
		assertThat(again.turn().waited()).isEqualTo(Duration.ofSeconds(1));
		first.permit().refuse(REFUSED, Cooldown.of(Duration.ZERO));
		second.assertAdmitted();
		TestCall retried = admission.enter(again).assertWaiting();
		second.complete();
		retried.assertAdmitted();
		third.assertWaiting();
		retried.complete();
		third.assertAdmitted();
	}

	@Test
	void aRetriedCallIsAdmittedToAFullQueueAndHasOnlyTheRestOfItsTime() {
		TestAdmission admission = new TestAdmission(TestAdmission.plan(LimitPlan.UNLIMITED.withMaxConcurrency(1))
			.withQueue(QueueRules.DEFAULT.withCapacity(1)));
		TestCall first = admission.admit(CALL.withMaxWait(Duration.ofSeconds(10)));
		TestCall second = admission.enter();
		LlmCall again = first.permit().again(Duration.ofSeconds(7));
		first.permit().refuse(REFUSED, Cooldown.of(Duration.ZERO));
		second.assertAdmitted();
		admission.enter().assertWaiting();
		TestCall retried = admission.enter(again).assertWaiting();
		admission.advance(2.999);
		retried.assertWaiting();
		admission.advance(0.001);
		retried.assertRejected(Reason.WAIT_TOO_LONG);
		assertThat(admission.waiting()).isEqualTo(1);
	}

	@Test
	void doesNotComeBackWhenItsTimeIsUsedUp() {
		TestCall call = TestAdmission.ofConcurrency(1).admit(CALL.withMaxWait(Duration.ofSeconds(10)));
		assertThat(call.permit().again(Duration.ofSeconds(10))).isNull();
		assertThat(call.permit().again(Duration.ofMillis(9999))).isNotNull();
	}

	@Test
	void addsUpWhatARetriedCallHasWaited() {
		TestAdmission admission = TestAdmission.of(rpm(1));
		admission.admit();
		TestCall call = admission.enter();
		admission.advance(60);
		LlmCall again = call.permit().again(Duration.ofSeconds(3));
		assertThat(again.turn().waited()).isEqualTo(Duration.ofSeconds(63));
		TestCall retried = admission.enter(again);
		admission.advance(60);
		assertThat(retried.permit().again(Duration.ofSeconds(1)).turn().waited()).isEqualTo(Duration.ofSeconds(124));
	}

	@Test
	void aPermitEndsExactlyOnce() {
		TestAdmission admission = TestAdmission.ofConcurrency(2);
		TestCall call = admission.admit();
		admission.admit();
		assertThat(call.complete()).isTrue();
		assertThat(call.complete()).isFalse();
		assertThat(call.permit().refuse(REFUSED, Cooldown.of(Duration.ofHours(1)))).isFalse();
		admission.assertState().hasInFlight(1);
		admission.admit();
		assertThat(admission.listener.events()).containsExactly("admitted", "admitted", "completed SUCCESS",
				"admitted");
	}

	@Test
	void aRefusedCallClosesTheAccountForAllBeforeItsSlotIsFree() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall call = admission.admit();
		TestCall waiting = admission.enter();
		call.permit().refuse(REFUSED, Cooldown.of(Duration.ofSeconds(20)));
		waiting.assertWaiting();
		admission.advance(19.999);
		waiting.assertWaiting();
		admission.advance(0.001);
		waiting.assertAdmitted();
		assertThat(admission.listener.events()).containsExactly("admitted", "completed THROTTLED",
				"throttled UNKNOWN PT20S", "admitted");
	}

	@Test
	void observesWhatAResponseAnnounces() {
		TestAdmission admission = TestAdmission.of(tpm(60));
		TestCall call = admission.admit(tokens(10));
		call.permit().observe(ObservedLimits.NONE);
		call.permit().observe(new ObservedLimits(List.of(new Observed(Counted.TOKENS, null, 60L, 0L, null))));
		TestCall waiting = admission.enter(tokens(30)).assertWaiting();
		admission.advance(30);
		waiting.assertAdmitted();
	}

	@Test
	void hasOneTimerHoweverManyWait() {
		TestAdmission admission = groups(LimitPlan.of(rpm(5)), group("small", LimitPlan.of(tpm(10))));
		for (int i = 0; i < 100; i++) {
			LlmCall call = CALL.withModel((i % 2 == 0) ? "small" : null).withTokens(1 + i % 7, 0);
			admission.enter(call.withPriority(Priority.values()[i % 3]).withMaxWait(Duration.ofHours(1 + i)));
			assertThat(admission.time.timers()).isLessThanOrEqualTo(1);
		}
		for (int i = 0; i < 3000 && admission.waiting() > 0; i++) {
			admission.advance(1);
			assertThat(admission.time.timers()).isLessThanOrEqualTo(1);
		}
		assertThat(admission.admitted).hasSize(100);
		assertThat(admission.time.timers()).isZero();
	}

	@Test
	void aListenerThatFailsHarmsNobody() {
		RateLimitListener failing = new RateLimitListener() {

			@Override
			public void onAdmitted(Permit permit) {
				throw new IllegalStateException("onAdmitted");
			}

			@Override
			public void onRejected(LlmCall call, LlmRateLimitException exception) {
				throw new IllegalStateException("onRejected");
			}

			@Override
			public void onCompleted(Permit permit, CallOutcome outcome, @Nullable TokenUsage usage) {
				throw new IllegalStateException("onCompleted");
			}

			@Override
			public void onThrottled(Permit permit, ThrottleSignal signal, Duration cooldown) {
				throw new IllegalStateException("onThrottled");
			}

		};
		TestAdmission admission = new TestAdmission(TestAdmission.plan(LimitPlan.UNLIMITED.withMaxConcurrency(1)),
				LocalLimitStore::new, failing);
		TestCall first = admission.admit();
		TestCall second = admission.enter();
		TestCall third = admission.enter(CALL.withMaxWait(Duration.ofSeconds(1)));
		first.complete();
		second.permit().refuse(REFUSED, Cooldown.of(Duration.ofSeconds(10)));
		third.assertRejected(Reason.WAIT_TOO_LONG);
		assertThat(admission.listener.events()).containsExactly("admitted", "completed SUCCESS", "admitted",
				"completed THROTTLED", "throttled UNKNOWN PT10S", "rejected WAIT_TOO_LONG");
		admission.assertNoTrace();
	}

	@Test
	void aSubscriberThatFailsKeepsNobodyFromItsAnswer() {
		TestAdmission admission = TestAdmission.of(rpm(3));
		admission.admit();
		admission.admit();
		admission.admit();
		Mono<Permit> acquire = admission.controller.acquire(CALL);
		acquire.subscribe(new FailingSubscriber());
		TestCall second = admission.enter();
		admission.advance(60);
		second.assertAdmitted();
	}

	@Test
	void completesInsideOnNextWithoutEnd() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall holder = admission.admit();
		List<TestCall> calls = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			TestCall call = admission.enter().assertWaiting();
			call.onAdmitted(call::complete);
			calls.add(call);
		}
		holder.complete();
		calls.forEach(TestCall::assertAdmitted);
		assertThat(admission.admitted.subList(1, 10_001)).isEqualTo(calls);
		admission.assertNoTrace();
	}

	@Test
	void asksForPermitsInsideOnNextWithoutEnd() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		Flux<Permit> calls = Flux.range(0, 10_000)
			.concatMap((i) -> admission.controller.acquire(CALL))
			.doOnNext((permit) -> permit.complete(CallOutcome.SUCCESS, null));
		StepVerifier.create(calls).expectNextCount(10_000).expectComplete().verify(PATIENCE);
		Flux<Integer> parallel = Flux.range(0, 10_000)
			.flatMap((i) -> admission.limiter().execute(CALL, Mono.just(i)), 100);
		StepVerifier.create(parallel).expectNextCount(10_000).expectComplete().verify(PATIENCE);
		admission.assertNoTrace();
	}

	@Test
	void cancelsAndEntersInsideOnNext() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall holder = admission.admit();
		TestCall first = admission.enter();
		TestCall second = admission.enter();
		List<TestCall> entered = new ArrayList<>();
		first.onAdmitted(() -> {
			second.cancel();
			entered.add(admission.enter());
			first.complete();
		});
		holder.complete();
		entered.get(0).assertAdmitted();
		entered.get(0).complete();
		assertThat(second.isAdmitted()).isFalse();
		admission.assertNoTrace();
	}

	@Test
	void executesUnderAPermit() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		StepVerifier.create(admission.limiter().execute(CALL, Mono.fromCallable(() -> {
			admission.assertState().hasInFlight(1);
			return "value";
		}))).expectNext("value").expectComplete().verify(PATIENCE);
		StepVerifier.create(admission.limiter().execute(CALL, Mono.empty())).expectComplete().verify(PATIENCE);
		StepVerifier.create(admission.limiter().execute(CALL, Flux.just(1, 2)))
			.expectNext(1, 2)
			.expectComplete()
			.verify(PATIENCE);
		StepVerifier.create(admission.limiter().execute(CALL, Mono.error(new IllegalStateException("broken"))))
			.expectErrorMessage("broken")
			.verify(PATIENCE);
		admission.limiter().execute(CALL, Flux.never()).subscribe().dispose();
		admission.limiter().execute(CALL, Mono.never()).subscribe().dispose();
		admission.assertNoTrace();
		assertThat(admission.listener.events()).filteredOn((event) -> event.startsWith("completed"))
			.containsExactly("completed SUCCESS", "completed SUCCESS", "completed SUCCESS", "completed FAILED",
					"completed CANCELLED", "completed CANCELLED");
	}

	@Test
	void holdsThePermitOfAStreamUntilItsEnd() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		StepVerifier.create(admission.limiter().execute(CALL, Flux.just(1, 2)), 1)
			.expectNext(1)
			.then(() -> admission.assertState().hasInFlight(1))
			.thenRequest(1)
			.expectNext(2)
			.expectComplete()
			.verify(PATIENCE);
		admission.assertNoTrace();
	}

	@Test
	void namesAProviderOrAccountThatItDoesNotKnow() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		StepVerifier.create(admission.controller.acquire(LlmCall.to("other")))
			.expectErrorMessage("provider: other (expected: one of [test])")
			.verify(PATIENCE);
		StepVerifier.create(admission.controller.acquire(CALL.withAccount("other")))
			.expectErrorMessage("account: other (expected: one of [default])")
			.verify(PATIENCE);
	}

	/** Breaks the rules of Reactive Streams. */
	private static final class FailingSubscriber implements CoreSubscriber<Permit> {

		@Override
		public void onSubscribe(Subscription subscription) {
			subscription.request(1);
		}

		@Override
		public void onNext(Permit permit) {
			throw new IllegalStateException("onNext");
		}

		@Override
		public void onError(Throwable failure) {
		}

		@Override
		public void onComplete() {
		}

	}

	@Test
	void wakesTogetherWhoFollowsClosely() {
		TestAdmission admission = TestAdmission.of(tpm(60_000));
		admission.admit(tokens(60_000));
		for (int i = 0; i < 10; i++) {
			admission.enter(tokens(1));
		}
		admission.advance(0.001);
		assertThat(admission.waiting()).isEqualTo(9);
		admission.advance(0.003999999);
		assertThat(admission.waiting()).isEqualTo(9);
		admission.advance(0.000000001);
		assertThat(admission.waiting()).isEqualTo(5);
		admission.advance(0.004);
		assertThat(admission.waiting()).isEqualTo(1);
	}

}
