package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import org.junit.jupiter.api.Test;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.rpm;
import static io.github.llmratelimit.admission.TestAdmission.tokens;
import static io.github.llmratelimit.admission.TestAdmission.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of calls that are not admitted: queue full, wait too long, never fits.
 */
class RejectionTests {

	private static LlmCall patient(double seconds) {
		return CALL.withMaxWait(Duration.ofNanos(Math.round(seconds * 1e9)));
	}

	@Test
	void rejectsWhenTheQueueIsFull() {
		TestAdmission admission = new TestAdmission(
				TestAdmission.plan(LimitPlan.of(rpm(1))).withQueue(QueueRules.DEFAULT.withCapacity(2)));
		admission.admit();
		TestCall first = admission.enter().assertWaiting();
		admission.enter().assertWaiting();
		LlmRateLimitException exception = admission.enter().assertRejected(Reason.QUEUE_FULL);
		assertThat(exception).hasMessageContaining("2 calls wait already").hasMessageContaining("queue.capacity");
		assertThat(exception.provider()).isEqualTo("test");
		first.cancel();
		admission.enter().assertWaiting();
		admission.enter().assertRejected(Reason.QUEUE_FULL);
		assertThat(admission.listener.events()).containsExactly("admitted", "rejected QUEUE_FULL",
				"rejected QUEUE_FULL");
	}

	@Test
	void rejectsAtOnceWhatCannotGoInTimeAndSaysWhenItCould() {
		TestAdmission admission = TestAdmission.of(rpm(1));
		admission.admit();
		admission.advance(20);
		LlmRateLimitException exception = admission.enter(patient(39.999)).assertRejected(Reason.WAIT_TOO_LONG);
		assertThat(exception.retryAfter()).isEqualTo(Duration.ofSeconds(40));
		assertThat(exception).hasMessageContaining("40.0 s").hasMessageContaining("rpm of account default");
		admission.assertState().hasInFlight(1);
		assertThat(admission.time.timers()).isZero();
		TestCall patient = admission.enter(patient(40)).assertWaiting();
		admission.advance(40);
		patient.assertAdmitted();
	}

	@Test
	void rejectsAtOnceWhatCannotGoInTimeBehindTheOthers() {
		TestAdmission admission = TestAdmission.of(rpm(2));
		admission.admit();
		admission.admit();
		for (int i = 0; i < 6; i++) {
			admission.enter().assertWaiting();
		}
		LlmRateLimitException exception = admission.enter(patient(179)).assertRejected(Reason.WAIT_TOO_LONG);
		assertThat(exception.retryAfter()).isEqualTo(Duration.ofMinutes(3));
		TestCall inTime = admission.enter(patient(240)).assertWaiting();
		TestCall urgent = admission.enter(patient(179).withPriority(Priority.INTERACTIVE)).assertWaiting();
		admission.advance(240);
		inTime.assertAdmitted();
		urgent.assertAdmitted();
	}

	@Test
	void expectsNoWaitForOutputThatMayBeGivenBack() {
		TestAdmission admission = TestAdmission.of(tpm(100));
		admission.admit(CALL.withTokens(10, 90));
		for (int i = 0; i < 10; i++) {
			admission.enter(CALL.withTokens(new TokenEstimate(1, 5000, true))).assertWaiting();
		}
		admission.enter(CALL.withTokens(1, 90).withMaxWait(Duration.ofMinutes(2))).assertWaiting();
	}

	@Test
	void expectsNoWaitForACallBetweenMarginAndLimit() {
		TestAdmission admission = new TestAdmission(ProviderPlan.of("test", LimitPlan.of(tpm(100).withMargin(0.9)),
				new ModelGroup("small", List.of("small"), LimitPlan.of(rpm(1)))));
		admission.admit(CALL.withModel("small"));
		admission.enter(CALL.withModel("small")).assertWaiting();
		admission.admit(tokens(100).withMaxWait(Duration.ZERO));
	}

	@Test
	void rejectsAtItsDeadlineWhateverHasNotBeenAdmitted() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		admission.admit();
		TestCall call = admission.enter(patient(5)).assertWaiting();
		admission.advance(4.999999999);
		call.assertWaiting();
		admission.advance(0.000000001);
		assertThat(call.assertRejected(Reason.WAIT_TOO_LONG)).hasMessageContaining("5.0 s");
		assertThat(admission.waiting()).isZero();
		assertThat(admission.time.timers()).isZero();
	}

	@Test
	void admitsAtTheDeadlineItself() {
		TestAdmission admission = TestAdmission.of(rpm(1));
		admission.admit();
		TestCall call = admission.enter(patient(60));
		admission.advance(60);
		call.assertAdmitted();
	}

	@Test
	void rejectsAnImpatientCallAtOnceAndAdmitsItIfItCanGo() {
		TestAdmission admission = new TestAdmission(ProviderPlan.of("test", LimitPlan.of(rpm(3)),
				new ModelGroup("small", List.of("small"), LimitPlan.of(rpm(1)))));
		admission.admit(patient(0).withModel("small"));
		admission.enter(CALL.withModel("small")).assertWaiting();
		admission.admit(patient(0));
		admission.enter(patient(0).withModel("small")).assertRejected(Reason.WAIT_TOO_LONG);
		admission.admit(patient(0));
		LlmRateLimitException exception = admission.enter(patient(0)).assertRejected(Reason.WAIT_TOO_LONG);
		assertThat(exception.retryAfter()).isEqualTo(Duration.ofMinutes(1));
		assertThat(admission.waiting()).isEqualTo(1);
	}

	@Test
	void waitsAsLongAsItsPriorityAllows() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		admission.admit();
		TestCall interactive = admission.enter(CALL.withPriority(Priority.INTERACTIVE));
		TestCall normal = admission.enter();
		TestCall batch = admission.enter(CALL.withPriority(Priority.BATCH));
		admission.advance(30);
		interactive.assertRejected(Reason.WAIT_TOO_LONG);
		admission.advance(30 * 60 - 30);
		normal.assertRejected(Reason.WAIT_TOO_LONG);
		admission.advance(24 * 3600 - 30 * 60 - 1);
		batch.assertWaiting();
		admission.advance(1);
		batch.assertRejected(Reason.WAIT_TOO_LONG);
	}

	@Test
	void waitsHoweverLongTheCallSays() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		TestCall holder = admission.admit();
		TestCall waiting = admission.enter(CALL.withMaxWait(Duration.ofSeconds(Long.MAX_VALUE)));
		admission.advance(100 * 24 * 3600);
		waiting.assertWaiting();
		holder.complete();
		waiting.assertAdmitted();
	}

	@Test
	void rejectsManyInTheOrderOfTheirDeadlines() {
		TestAdmission admission = TestAdmission.ofConcurrency(1);
		admission.admit();
		List<TestCall> calls = Stream.iterate(1, (i) -> (i * 2) % 101)
			.limit(100)
			.map((i) -> admission.enter(patient(i)))
			.toList();
		for (int second = 1; second <= 100; second++) {
			admission.advance(1);
			assertThat(calls.stream().filter(TestCall::isWaiting)).hasSize(100 - second);
			assertThat(admission.waiting()).isEqualTo(100 - second);
		}
		assertThat(admission.time.timers()).isZero();
	}

	@Test
	void rejectsEachAtItsDeadlineWhileOthersLeave() {
		for (long seed = 0; seed < 20; seed++) {
			Random random = new Random(seed);
			TestAdmission admission = TestAdmission.ofConcurrency(1);
			admission.admit();
			Map<TestCall, Integer> deadlines = new HashMap<>();
			for (int i = 0; i < 100; i++) {
				int deadline = 1 + random.nextInt(200);
				Priority priority = Priority.values()[random.nextInt(3)];
				deadlines.put(admission.enter(patient(deadline).withPriority(priority)), deadline);
			}
			for (int second = 1; second <= 200; second++) {
				List<TestCall> waiting = deadlines.keySet().stream().filter(TestCall::isWaiting).toList();
				if (!waiting.isEmpty() && random.nextBoolean()) {
					TestCall leaving = waiting.get(random.nextInt(waiting.size()));
					leaving.cancel();
					deadlines.remove(leaving);
				}
				admission.advance(1);
				int now = second;
				assertThat(deadlines)
					.allSatisfy((call, deadline) -> assertThat(call.isWaiting()).isEqualTo(deadline > now));
			}
		}
	}

	@Test
	void whoLeavesNoLongerHoldsUpThoseBehind() {
		TestAdmission admission = TestAdmission.of(tpm(60));
		admission.admit(tokens(50));
		TestCall large = admission.enter(tokens(60).withMaxWait(Duration.ofSeconds(50))).assertWaiting();
		TestCall small = admission.enter(tokens(10)).assertWaiting();
		large.cancel();
		small.assertAdmitted();
	}

	@Test
	void whoIsRejectedNoLongerHoldsUpThoseBehind() {
		TestAdmission admission = TestAdmission.of(tpm(60), rpm(1000));
		admission.admit(tokens(60));
		TestCall first = admission.enter(tokens(10));
		TestCall large = admission.enter(tokens(40).withMaxWait(Duration.ofSeconds(15)));
		TestCall small = admission.enter(tokens(5));
		// At 10 s the first goes, the large one cannot go in time, and the small one
		// waits for 5 s
		admission.advance(10);
		first.assertAdmitted();
		large.assertRejected(Reason.WAIT_TOO_LONG);
		small.assertWaiting();
		admission.advance(5);
		small.assertAdmitted();
	}

	@Test
	void whoIsRejectedTogetherWithOthersHoldsUpNoneOfThem() {
		TestAdmission admission = TestAdmission.of(tpm(60), rpm(1000));
		admission.admit(tokens(60));
		TestCall first = admission.enter(tokens(10));
		TestCall second = admission.enter(tokens(30).withPriority(Priority.BATCH).withMaxWait(Duration.ofSeconds(35)));
		TestCall third = admission.enter(tokens(5).withPriority(Priority.BATCH));
		TestCall fourth = admission.enter(tokens(1).withPriority(Priority.BATCH));
		admission.advance(10);
		first.assertAdmitted();
		second.assertRejected(Reason.WAIT_TOO_LONG);
		admission.advance(5);
		third.assertAdmitted();
		admission.advance(1);
		fourth.assertAdmitted();
	}

	@Test
	void whoseDeadlinePassesNoLongerHoldsUpThoseBehind() {
		TestAdmission admission = new TestAdmission(
				TestAdmission.accounts(LimitPlan.UNLIMITED.withMaxConcurrency(1), LimitPlan.of(tpm(50))));
		admission.admit(tokens(60));
		TestCall large = admission.enter(tokens(60).withMaxWait(Duration.ofSeconds(5))).assertWaiting();
		TestCall small = admission.enter(tokens(10)).assertWaiting();
		admission.advance(5);
		large.assertRejected(Reason.WAIT_TOO_LONG);
		assertThat(small.permit().scope().account()).isEqualTo("b");
	}

	@Test
	void rejectsWhatCanNeverFitAtOnceEvenIfOthersWait() {
		TestAdmission admission = TestAdmission.of(tpm(100));
		assertNeverFits(admission.enter(tokens(101)));
		admission.admit(tokens(100));
		admission.enter(tokens(100)).assertWaiting();
		assertNeverFits(admission.enter(tokens(101)));
		admission.enter(CALL.withTokens(new TokenEstimate(100, 5000, true))).assertWaiting();
		assertThat(admission.waiting()).isEqualTo(2);
	}

	private static void assertNeverFits(TestCall call) {
		LlmRateLimitException exception = call.assertRejected(Reason.NEVER_FITS);
		assertThat(exception.retryAfter()).isNull();
		assertThat(exception).hasMessageContaining("101 input")
			.hasMessageContaining("tpm of account default of 100")
			.hasMessageContaining("max_tokens");
	}

	@Test
	void namesTheModelGroupWhoseLimitACallCanNeverFit() {
		Limit limit = tpm(10);
		TestAdmission admission = new TestAdmission(ProviderPlan.of("test", LimitPlan.of(rpm(1)),
				new ModelGroup("small", List.of("small"), LimitPlan.of(limit))));
		admission.admit();
		admission.enter().assertWaiting();
		assertThat(admission.enter(tokens(11).withModel("small")).assertRejected(Reason.NEVER_FITS))
			.hasMessageContaining("tpm of model group small of account default of 10");
	}

	@Test
	void waitsForAnAccountThatCanHoldTheCall() {
		TestAdmission admission = new TestAdmission(
				TestAdmission.accounts(LimitPlan.of(tpm(10)), LimitPlan.of(tpm(100))));
		admission.admit(tokens(100));
		admission.enter(tokens(50)).assertWaiting();
		admission.enter(tokens(101)).assertRejected(Reason.NEVER_FITS);
	}

}
