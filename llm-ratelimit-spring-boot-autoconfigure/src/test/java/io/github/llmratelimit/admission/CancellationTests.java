package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.rpm;
import static io.github.llmratelimit.admission.TestAdmission.tokens;
import static io.github.llmratelimit.admission.TestAdmission.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of calls that are given up: they leave no trace.
 */
class CancellationTests {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void leavesFromAnyPlaceInLine(int place) {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall holder = admission.admit();
		List<TestCall> calls = List.of(admission.enter(), admission.enter(), admission.enter());
		calls.get(place).cancel();
		calls.get(place).cancel();
		assertThat(admission.waiting()).isEqualTo(2);
		holder.complete();
		for (TestCall call : calls) {
			if (call != calls.get(place)) {
				call.complete();
			}
		}
		assertThat(calls.get(place).isAdmitted()).isFalse();
		admission.assertNoTrace();
	}

	@Test
	void leavesNoTraceInAnyLimit() {
		TestAdmission admission = TestAdmission.of(rpm(2), tpm(60));
		admission.admit(tokens(50)).complete();
		TestCall waiting = admission.enter(tokens(60)).assertWaiting();
		assertThat(admission.time.timers()).isEqualTo(1);
		waiting.cancel();
		admission.assertNoTrace();
		assertThat(admission.listener.events()).containsExactly("admitted", "completed SUCCESS");
		admission.admit(tokens(10));
	}

	@Test
	void leavesNoBacklog() {
		TestAdmission admission = TestAdmission.of(rpm(1));
		admission.admit();
		admission.enter().assertWaiting();
		for (int i = 0; i < 100; i++) {
			admission.enter(CALL.withPriority(Priority.values()[i % 3]).withMaxWait(Duration.ofDays(1))).cancel();
		}
		TestCall call = admission.enter(CALL.withMaxWait(Duration.ofMinutes(2))).assertWaiting();
		admission.advance(120);
		call.assertAdmitted();
	}

	@Test
	void cancelsBeforeItHasAsked() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		StepVerifier.create(admission.controller.acquire(CALL), 0).thenCancel().verify(PATIENCE);
		admission.assertNoTrace();
	}

	@Test
	void disposes() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall holder = admission.admit();
		Disposable waiting = admission.controller.acquire(CALL).subscribe();
		assertThat(admission.waiting()).isEqualTo(1);
		waiting.dispose();
		assertThat(admission.waiting()).isZero();
		holder.complete();
		admission.assertNoTrace();
	}

	@Test
	void timesOut() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall holder = admission.admit();
		Mono<Permit> acquire = admission.controller.acquire(CALL)
			.timeout(Duration.ofSeconds(3), admission.time.scheduler());
		StepVerifier.create(acquire)
			.then(() -> admission.advance(2.999))
			.then(() -> assertThat(admission.waiting()).isEqualTo(1))
			.then(() -> admission.advance(0.001))
			.expectError(TimeoutException.class)
			.verify(PATIENCE);
		assertThat(admission.waiting()).isZero();
		holder.complete();
		admission.assertNoTrace();
	}

	@Test
	void endsAtItsDeadlineBeforeItCanBeCancelledOrGranted() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall holder = admission.admit();
		TestCall call = admission.enter(CALL.withMaxWait(Duration.ofSeconds(3)));
		admission.advance(3);
		call.assertRejected(Reason.WAIT_TOO_LONG);
		call.cancel();
		holder.complete();
		admission.assertNoTrace();
	}

	@Test
	void isGrantedBeforeItCanBeCancelledOrTimeOut() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall holder = admission.admit();
		TestCall call = admission.enter(CALL.withMaxWait(Duration.ofSeconds(3)));
		holder.complete();
		call.assertAdmitted();
		admission.advance(3);
		call.cancel();
		admission.assertState().hasInFlight(1);
		call.complete();
		admission.assertNoTrace();
	}

	@Test
	void aGrantThatMeetsACancelledWaiterGoesToTheNext() {
		TestAdmission admission = TestAdmission.of(rpm(2));
		admission.admit();
		admission.admit();
		TestCall first = admission.enter();
		TestCall second = admission.enter();
		TestCall third = admission.enter();
		// Both are chosen in one turn; the first cancels the second before it is told
		first.onAdmitted(second::cancel);
		admission.advance(60);
		first.assertAdmitted();
		assertThat(second.isAdmitted()).isFalse();
		third.assertAdmitted();
	}

	@Test
	void endsThePermitOfASubscriberThatDropsIt() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		Scheduler busy = Schedulers.fromExecutor((task) -> {
		});
		Disposable call = admission.controller.acquire(CALL).publishOn(busy).subscribe();
		admission.assertState().hasInFlight(1);
		call.dispose();
		admission.assertNoTrace();
		assertThat(admission.listener.events()).containsExactly("admitted", "completed CANCELLED");
	}

	@Test
	void leavesThePermitToASubscriberThatUsesIt() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		Disposable call = admission.controller.acquire(CALL)
			.flatMap((permit) -> Mono.never()
				.doOnSubscribe((subscription) -> permit.scope())
				.doOnCancel(() -> permit.complete(CallOutcome.FAILED, null)))
			.subscribe();
		call.dispose();
		admission.assertNoTrace();
		assertThat(admission.listener.events()).containsExactly("admitted", "completed FAILED");
	}

	@Test
	void leavesThePermitToASubscriberThatWantsNoOther() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		Permit permit = admission.controller.acquire(CALL).flux().next().block(PATIENCE);
		admission.assertState().hasInFlight(1);
		assertThat(permit.complete(CallOutcome.SUCCESS, null)).isTrue();
	}

}
