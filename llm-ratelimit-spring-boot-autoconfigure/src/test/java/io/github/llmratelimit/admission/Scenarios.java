package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.HeldPermit;
import io.github.llmratelimit.KeyPool;
import io.github.llmratelimit.KeyPool.Selection;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import io.github.llmratelimit.testing.RaceTestUtils.Race;
import reactor.util.context.Context;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Races of few actions, each from a fresh state. Calls ask for ten tokens, and use one
 * when they end. Afterwards every call has been answered once, nothing is held, and what
 * is used is what was sent.
 */
final class Scenarios {

	private static final LlmCall PATIENT = CALL.withTokens(10, 0).withMaxWait(Duration.ofHours(1));

	private static final LlmCall HURRIED = PATIENT.withMaxWait(Duration.ofSeconds(1));

	private static final LimitScope ALL = new LimitScope("test", LimitScope.ANY_ACCOUNT, ProviderPlan.ANY_MODEL);

	private final List<TestCall> calls = new ArrayList<>();

	private TestAdmission admission = new TestAdmission(plan(1));

	private static ProviderPlan plan(int concurrency) {
		return ProviderPlan.of("test",
				LimitPlan.of(perDay("requests", Counted.REQUESTS), perDay("tokens", Counted.TOKENS))
					.withMaxConcurrency(concurrency));
	}

	private static Limit perDay(String name, Counted counts) {
		return Limit.of(name, counts, 1000, Duration.ofDays(1), LimitAlgorithm.SLIDING_WINDOW);
	}

	Race grantAndCancel() {
		TestCall holder = enter(PATIENT);
		TestCall waiting = enterAndComplete(PATIENT);
		return race(() -> complete(holder), waiting::cancel);
	}

	Race grantAndDeadline() {
		TestCall holder = enter(PATIENT);
		enterAndComplete(HURRIED);
		return race(() -> complete(holder), () -> this.admission.advance(1));
	}

	Race grantCancelAndArrival() {
		TestCall holder = enter(PATIENT);
		TestCall waiting = enterAndComplete(PATIENT);
		return race(() -> complete(holder), waiting::cancel, () -> enterAndComplete(PATIENT));
	}

	Race deadlineAndCancelOfTheNext() {
		TestCall holder = enter(PATIENT);
		enterAndComplete(HURRIED);
		TestCall waiting = enterAndComplete(PATIENT);
		return race(() -> this.admission.advance(1), waiting::cancel, () -> complete(holder));
	}

	Race arrivalsWhileOneEnds() {
		TestCall holder = enter(PATIENT);
		return race(() -> complete(holder), () -> enterAndComplete(PATIENT), () -> enterAndComplete(PATIENT));
	}

	Race arrivalsAtTheLastPlaceInTheQueue() {
		this.admission = new TestAdmission(plan(1).withQueue(QueueRules.DEFAULT.withCapacity(1)));
		TestCall holder = enter(PATIENT);
		return race(() -> enterAndComplete(PATIENT), () -> enterAndComplete(PATIENT), () -> complete(holder));
	}

	Race endsOfOnePermit() {
		TestCall holder = enter(PATIENT);
		enterAndComplete(PATIENT);
		return race(() -> complete(holder), () -> holder.permit().complete(CallOutcome.FAILED, new TokenUsage(1, 0)));
	}

	Race refusalAndArrival() {
		this.admission = new TestAdmission(plan(2));
		TestCall refused = enter(PATIENT);
		TestCall other = enter(PATIENT);
		return race(() -> refuse(refused, ThrottleSignal.throttled(Tripped.TOKENS, null, null)),
				() -> enterAndComplete(PATIENT), () -> complete(other));
	}

	Race keyOutOfServiceAndArrival() {
		this.admission = new TestAdmission(plan(2)
			.withKeys(new KeyPool(Map.of("k1", ProviderPlan.DEFAULT_ACCOUNT, "k2", ProviderPlan.DEFAULT_ACCOUNT),
					Selection.LEAST_WAIT, () -> 0)));
		TestCall refused = enter(PATIENT);
		TestCall other = enter(PATIENT);
		return race(() -> refuse(refused, ThrottleSignal.of(CallOutcome.KEY_REJECTED)), () -> enterAndComplete(PATIENT),
				() -> complete(other));
	}

	Race raisedLimitAndArrival() {
		TestCall holder = enter(PATIENT);
		enterAndComplete(HURRIED);
		return race(() -> change(2), () -> enterAndComplete(PATIENT), () -> complete(holder));
	}

	Race loweredLimitAndArrival() {
		this.admission = new TestAdmission(plan(3));
		TestCall holder = enter(PATIENT);
		return race(() -> change(1), () -> enterAndComplete(PATIENT), () -> complete(holder));
	}

	Race resumeAndArrival() {
		TestCall holder = enter(PATIENT);
		this.admission.controller.pause(ALL, null, "test").block();
		TestCall waiting = enterAndComplete(PATIENT);
		return race(() -> this.admission.controller.resume(ALL).subscribe(), waiting::cancel, () -> complete(holder));
	}

	Race pauseAndArrival() {
		TestCall holder = enter(PATIENT);
		return race(() -> this.admission.controller.pause(ALL, Duration.ofMinutes(1), "test").subscribe(),
				() -> enterAndComplete(PATIENT), () -> complete(holder));
	}

	private void change(int concurrency) {
		this.admission.controller.changeLimits(ALL, (plan) -> plan.withMaxConcurrency(concurrency)).subscribe();
	}

	Race takeOverAndEnd() {
		TestCall outer = enter(PATIENT);
		enterAndComplete(PATIENT);
		return race(
				() -> enterAndComplete(
						HeldPermit.takeOver(PATIENT, new HeldPermit(outer.permit()).in(Context.empty()))),
				() -> complete(outer));
	}

	private Race race(Runnable... actions) {
		return Race.of(this::assertNothingLost, actions);
	}

	private TestCall enter(LlmCall call) {
		return enter(call, new TestCall(this.admission));
	}

	private TestCall enterAndComplete(LlmCall call) {
		TestCall entered = new TestCall(this.admission);
		return enter(call, entered.onAdmitted(() -> completeUnlessCancelled(entered)));
	}

	private TestCall enter(LlmCall call, TestCall entered) {
		this.calls.add(entered);
		this.admission.controller.acquire(call).subscribe(entered);
		return entered;
	}

	/* Operators drop what comes to a subscriber that has cancelled. */
	private void completeUnlessCancelled(TestCall call) {
		if (!call.isDisposed()) {
			complete(call);
		}
	}

	private void complete(TestCall call) {
		call.permit().complete(CallOutcome.SUCCESS, new TokenUsage(1, 0));
	}

	private void refuse(TestCall call, ThrottleSignal signal) {
		call.permit().refuse(signal, Cooldown.of(Duration.ofSeconds(2)));
	}

	private void assertNothingLost() {
		this.admission.advance(60 * 60);
		assertThat(this.calls).noneMatch(TestCall::isWaiting);
		this.admission.assertNoTrace();
		LevelSnapshot account = this.admission.snapshot().accounts().get(ProviderPlan.DEFAULT_ACCOUNT);
		assertThat(account.limits()).extracting(LimitSnapshot::used).containsExactly(sent(), used());
	}

	/* Those that were taken over have not been sent. */
	private long sent() {
		return count("admitted") - count("completed NOT_SENT");
	}

	/* Of what was dropped unseen nobody knows what it has used. */
	private long used() {
		return count("completed SUCCESS") + count("completed FAILED") + 10 * count("completed CANCELLED");
	}

	private long count(String event) {
		return this.admission.listener.events().stream().filter(event::equals).count();
	}

}
