package io.github.llmratelimit.admission;

import java.time.Duration;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.rpm;
import static io.github.llmratelimit.admission.TestAdmission.tokens;
import static io.github.llmratelimit.admission.TestAdmission.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a store that answers later, or not at all.
 */
class SlowStoreTests {

	private ScriptedStore store;

	private TestAdmission admission(LimitPlan plan) {
		return new TestAdmission(TestAdmission.plan(plan), (time) -> {
			this.store = new ScriptedStore(time);
			return this.store;
		});
	}

	private TestAdmission admission(Limit... limits) {
		return admission(LimitPlan.of(limits));
	}

	@Test
	void admitsWhenTheAnswerComes() {
		TestAdmission admission = admission(rpm(10));
		TestCall call = admission.enter().assertWaiting();
		admission.advance(0.25);
		this.store.answer();
		assertThat(call.permit().waited()).isEqualTo(Duration.ofMillis(250));
		call.complete();
		admission.assertNoTrace();
	}

	@Test
	void asksOneQuestionAtATimeAboutMoreAndMore() {
		TestAdmission admission = admission(LimitPlan.UNLIMITED);
		for (int i = 0; i < 300; i++) {
			admission.enter();
			assertThat(this.store.openQuestions()).isEqualTo(1);
		}
		this.store.answerAll();
		assertThat(admission.admitted).hasSize(300).allMatch(TestCall::isAdmitted);
		assertThat(this.store.asked()).startsWith(1, 2, 4, 8, 16, 32, 64).hasSizeLessThan(13);
	}

	@Test
	void admitsInOrder() {
		TestAdmission admission = admission(rpm(3));
		TestCall first = admission.enter();
		TestCall batch = admission.enter(CALL.withPriority(Priority.BATCH));
		TestCall interactive = admission.enter(CALL.withPriority(Priority.INTERACTIVE));
		TestCall normal = admission.enter();
		this.store.answerAll();
		admission.assertAdmittedInOrder(first, interactive, normal);
		admission.advance(30);
		this.store.answerAll();
		admission.advance(30);
		batch.assertWaiting();
		this.store.answerAll();
		batch.assertAdmitted();
	}

	@Test
	void givesBackWhatWasGrantedToAWaiterThatIsGone() {
		TestAdmission admission = admission(LimitPlan.of(rpm(1)).withMaxConcurrency(1));
		TestCall gone = admission.enter();
		TestCall next = admission.enter();
		gone.cancel();
		assertThat(admission.waiting()).isEqualTo(1);
		admission.assertState().hasInFlight(1);
		this.store.answerAll();
		next.complete();
		assertThat(gone.isAdmitted()).isFalse();
		admission.assertNoTrace();
	}

	@Test
	void givesBackWhatWasGrantedToTheOnlyWaiterThatIsGone() {
		TestAdmission admission = admission(rpm(1));
		admission.enter().cancel();
		this.store.answerAll();
		admission.assertNoTrace();
		TestCall next = admission.enter();
		this.store.answerAll();
		next.assertAdmitted();
	}

	@Test
	void aWaiterThatIsGoneHoldsUpNobody() {
		TestAdmission admission = admission(tpm(60));
		TestCall first = admission.enter(tokens(50));
		this.store.answerAll();
		first.assertAdmitted();
		TestCall large = admission.enter(tokens(60));
		TestCall small = admission.enter(tokens(10));
		large.cancel();
		this.store.answerAll();
		small.assertAdmitted();
	}

	@Test
	void doesNotDeliverAPermitToAWaiterThatHasTimedOut() {
		TestAdmission admission = admission(LimitPlan.UNLIMITED.withMaxConcurrency(1));
		TestCall late = admission.enter(CALL.withMaxWait(Duration.ofSeconds(3)));
		TestCall next = admission.enter();
		admission.advance(3);
		late.assertRejected(Reason.WAIT_TOO_LONG);
		this.store.answerAll();
		next.complete();
		admission.assertNoTrace();
	}

	@Test
	void aWaiterThatTimesOutWhileTheAnswerComesIsAnsweredOnce() {
		TestAdmission admission = admission(LimitPlan.UNLIMITED.withMaxConcurrency(3));
		TestCall first = admission.enter();
		TestCall late = admission.enter(CALL.withMaxWait(Duration.ofSeconds(3)));
		TestCall other = admission.enter(CALL.withMaxWait(Duration.ofSeconds(3)));
		this.store.answer();
		// Both are rejected in one turn, and granted when only one has been told
		late.onRejected(this.store::answer);
		admission.advance(3);
		late.assertRejected(Reason.WAIT_TOO_LONG);
		other.assertRejected(Reason.WAIT_TOO_LONG);
		first.complete();
		admission.assertNoTrace();
	}

	@Test
	void asksAgainAWhileAfterAFailure() {
		TestAdmission admission = admission(rpm(10));
		TestCall first = admission.enter();
		TestCall second = admission.enter();
		this.store.fail();
		assertThat(this.store.openQuestions()).isZero();
		admission.advance(0.999);
		assertThat(this.store.openQuestions()).isZero();
		admission.advance(0.001);
		this.store.answerAll();
		admission.assertAdmittedInOrder(first, second);
	}

	@Test
	void keepsDeadlinesWhileTheStoreFails() {
		TestAdmission admission = admission(rpm(10));
		TestCall call = admission.enter(CALL.withMaxWait(Duration.ofSeconds(5)));
		for (int second = 0; second < 5; second++) {
			this.store.fail();
			call.assertWaiting();
			admission.advance(1);
		}
		call.assertRejected(Reason.WAIT_TOO_LONG);
		this.store.answerAll();
		assertThat(admission.waiting()).isZero();
		assertThat(admission.time.timers()).isZero();
	}

	@Test
	void cancelsWhileTheStoreFails() {
		TestAdmission admission = admission(rpm(10));
		TestCall call = admission.enter();
		call.cancel();
		this.store.fail();
		assertThat(admission.waiting()).isZero();
		assertThat(admission.time.timers()).isZero();
	}

	@Test
	void survivesAStoreThatThrows() {
		TestAdmission admission = admission(rpm(1));
		this.store.setBroken(true);
		TestCall call = admission.enter().assertWaiting();
		this.store.setBroken(false);
		admission.advance(1);
		this.store.answerAll();
		call.assertAdmitted();
	}

	@ParameterizedTest
	@ValueSource(strings = { "cancel complete answer", "complete cancel answer", "answer complete cancel",
			"cancel answer complete", "complete answer cancel", "answer cancel complete" })
	void losesNothingInAnyOrder(String order) {
		TestAdmission admission = admission(LimitPlan.UNLIMITED.withMaxConcurrency(1));
		TestCall holder = admission.enter();
		this.store.answerAll();
		TestCall first = admission.enter();
		TestCall second = admission.enter();
		for (String step : order.split(" ")) {
			switch (step) {
				case "cancel" -> first.cancel();
				case "complete" -> holder.permit().complete(CallOutcome.SUCCESS, new TokenUsage(1, 1));
				default -> {
					if (this.store.openQuestions() > 0) {
						this.store.answer();
					}
				}
			}
			admission.assertState().isWithinLimits();
		}
		this.store.answerAll();
		second.complete();
		this.store.answerAll();
		admission.assertNoTrace();
	}

}
