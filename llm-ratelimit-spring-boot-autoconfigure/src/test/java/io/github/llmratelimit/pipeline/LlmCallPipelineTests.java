package io.github.llmratelimit.pipeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.RecordedCalls;
import io.github.llmratelimit.testing.VirtualTime;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LlmCallPipeline}: the order of its steps, with a scripted exchange.
 */
class LlmCallPipelineTests {

	private static final LlmCall CALL = LlmCall.to("p");

	private final VirtualTime time = new VirtualTime();

	private final RecordedCalls events = new RecordedCalls();

	private final AdmissionController limiter = new AdmissionController(
			List.of(ProviderPlan.of("p",
					LimitPlan.of(Limit.of("requests-per-minute", Counted.REQUESTS, 100, Duration.ofMinutes(1),
							LimitAlgorithm.SLIDING_WINDOW)))),
			new LocalLimitStore(this.time), this.time, List.of(this.events));

	private final LlmCallPipeline pipeline = new LlmCallPipeline(this.limiter,
			Map.of("p", new RetryPolicy(3, Backoff.DEFAULT, () -> 0)), this.time, List.of(this.events));

	private final ScriptedExchange script = new ScriptedExchange();

	@Test
	void handsOnAnAcceptedResponseAndLeavesItsPermitAlone() {
		this.script.then(Mono.just(Answer.accepted("fine")));
		assertThat(this.pipeline.execute(CALL, this.script).block()).isEqualTo("fine");
		assertThat(inFlight()).isOne();
		this.script.permits.get(0).complete(CallOutcome.SUCCESS, null);
		assertThat(inFlight()).isZero();
	}

	@Test
	void waitsWithoutAPermitAndComesBackInTheOldPlace() {
		this.script.then(refusal(Duration.ofSeconds(5))).then(Mono.just(Answer.accepted("fine")));
		List<String> answers = new ArrayList<>();
		this.pipeline.execute(CALL, this.script).subscribe(answers::add);
		assertThat(inFlight()).isZero();
		this.time.advance(Duration.ofSeconds(5));
		assertThat(answers).containsExactly("fine");
		assertThat(this.script.permits).hasSize(2);
		assertThat(this.script.permits.get(1).call().turn().sequence()).isEqualTo(1);
		assertThat(this.script.permits.get(1).call().turn().waited()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void givesTheLastAnswerAfterTheLastAttempt() {
		for (int i = 0; i < 3; i++) {
			this.script.then(refusal(null));
		}
		List<String> answers = new ArrayList<>();
		this.pipeline.execute(CALL, this.script).subscribe(answers::add);
		this.time.advance(Duration.ofMinutes(5));
		assertThat(answers).containsExactly("refused");
		assertThat(this.script.permits).hasSize(3);
		assertThat(inFlight()).isZero();
	}

	@Test
	void failsAfterTheLastAttemptIfSoConfigured() {
		this.script.then(refusal(null)).then(refusal(Duration.ofSeconds(3)));
		List<Throwable> failures = new ArrayList<>();
		strict(2).execute(CALL, this.script).subscribe((answer) -> failures.add(null), failures::add);
		this.time.advance(Duration.ofMinutes(1));
		assertThat(failures).singleElement().isInstanceOfSatisfying(LlmRateLimitException.class, (failure) -> {
			assertThat(failure.reason()).isEqualTo(LlmRateLimitException.Reason.RETRIES_EXHAUSTED);
			assertThat(failure.attempts()).isEqualTo(2);
			assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(3));
		});
		assertThat(inFlight()).isZero();
	}

	@Test
	void givesTheAnswerAtOnceIfTheCallCannotBeRepeated() {
		this.script.then(Mono.just(Answer.refused("refused", throttled(null), 429, false)));
		assertThat(this.pipeline.execute(CALL, this.script).block()).isEqualTo("refused");
	}

	@Test
	void givesTheAnswerAtOnceIfTheHintIsLongerThanTheCallMayWaitAndKeepsTheCooldown() {
		this.script.then(refusal(Duration.ofMinutes(10)));
		assertThat(this.pipeline.execute(CALL.withMaxWait(Duration.ofMinutes(1)), this.script).block())
			.isEqualTo("refused");
		assertThat(this.limiter.snapshot().blockLast().accounts().get("default").closedFor())
			.isEqualTo(Duration.ofMinutes(10));
	}

	@Test
	void failsAtOnceWithTheHintThatIsLongerThanTheCallMayWaitIfSoConfigured() {
		this.script.then(refusal(Duration.ofMinutes(10)));
		assertThatExceptionOfType(LlmRateLimitException.class)
			.isThrownBy(() -> strict(4).execute(CALL.withMaxWait(Duration.ofMinutes(1)), this.script).block())
			.satisfies((failure) -> {
				assertThat(failure.reason()).isEqualTo(LlmRateLimitException.Reason.WAIT_TOO_LONG);
				assertThat(failure.retryAfter()).isEqualTo(Duration.ofMinutes(10));
				assertThat(failure.attempts()).isOne();
			});
		assertThat(this.time.timers()).isZero();
	}

	@Test
	void doesNotWaitForABackoffThatIsLongerThanTheCallMayWait() {
		this.script.then(refusal(null));
		assertThatExceptionOfType(LlmRateLimitException.class)
			.isThrownBy(() -> strict(4).execute(CALL.withMaxWait(Duration.ofMillis(500)), this.script).block())
			.satisfies((failure) -> {
				assertThat(failure.reason()).isEqualTo(LlmRateLimitException.Reason.WAIT_TOO_LONG);
				assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(1));
			});
	}

	@Test
	void allWaitingHasOneDeadlineAndTimeOnTheWireIsNone() {
		for (int i = 0; i < 4; i++) {
			this.script
				.then(refusal(Duration.ofSeconds(4)).delaySubscription(Duration.ofSeconds(30), this.time.scheduler()));
		}
		List<Throwable> failures = new ArrayList<>();
		strict(9).execute(CALL.withMaxWait(Duration.ofSeconds(10)), this.script)
			.subscribe((answer) -> failures.add(null), failures::add);
		this.time.advance(Duration.ofSeconds(98).minusNanos(1));
		assertThat(failures).isEmpty();
		this.time.advance(Duration.ofNanos(1));
		assertThat(failures).singleElement().isInstanceOfSatisfying(LlmRateLimitException.class, (failure) -> {
			assertThat(failure.reason()).isEqualTo(LlmRateLimitException.Reason.WAIT_TOO_LONG);
			assertThat(failure.attempts()).isEqualTo(3);
		});
		assertThat(this.script.permits).hasSize(3);
	}

	@Test
	void saysHowOftenACallWasSentThatIsNotAdmittedAgain() {
		Permit other = this.limiter.acquire(CALL).block();
		this.script.then(refusal(Duration.ofSeconds(1)));
		List<Throwable> failures = new ArrayList<>();
		strict(4).execute(CALL.withMaxWait(Duration.ofSeconds(10)), this.script)
			.subscribe((answer) -> failures.add(null), failures::add);
		other.refuse(throttled(Duration.ofMinutes(1)), Cooldown.of(Duration.ofMinutes(1)));
		this.time.advance(Duration.ofSeconds(1));
		assertThat(failures).singleElement().isInstanceOfSatisfying(LlmRateLimitException.class, (failure) -> {
			assertThat(failure.reason()).isEqualTo(LlmRateLimitException.Reason.WAIT_TOO_LONG);
			assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(59));
			assertThat(failure.attempts()).isOne();
		});
	}

	@Test
	void endsThePermitOnceWhenCancelledWhileSending() {
		this.script.then(Mono.never());
		Disposable call = this.pipeline.execute(CALL, this.script).subscribe();
		call.dispose();
		assertThat(inFlight()).isZero();
		assertThat(this.events.completed()).singleElement()
			.satisfies((completed) -> assertThat(completed.outcome()).isEqualTo(CallOutcome.CANCELLED));
	}

	@Test
	void endsThePermitOfACallThatIsNotAnswered() {
		this.script.then(Mono.empty());
		assertThat(this.pipeline.execute(CALL, this.script).blockOptional()).isEmpty();
		assertThat(inFlight()).isZero();
		assertThat(this.events.completed()).singleElement()
			.satisfies((completed) -> assertThat(completed.outcome()).isEqualTo(CallOutcome.FAILED));
	}

	@Test
	void endsThePermitOfACallThatCannotEvenBeSent() {
		this.script.then(() -> {
			throw new IllegalStateException("broken filter");
		});
		assertThatIllegalStateException().isThrownBy(() -> this.pipeline.execute(CALL, this.script).block())
			.withMessage("broken filter");
		assertThat(inFlight()).isZero();
	}

	@Test
	void leavesThePermitToTheAnswerWhenCancelledAfterwards() {
		this.script.then(Mono.just(Answer.accepted("fine")));
		Disposable call = this.pipeline.execute(CALL, this.script).flatMap((answer) -> Mono.never()).subscribe();
		call.dispose();
		assertThat(inFlight()).isOne();
	}

	@Test
	void leavesNothingBehindWhenCancelledBetweenAttempts() {
		this.script.then(refusal(Duration.ofSeconds(5)));
		Disposable call = this.pipeline.execute(CALL, this.script).subscribe();
		call.dispose();
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.script.permits).hasSize(1);
		assertThat(inFlight()).isZero();
	}

	@Test
	void startsAnewForEverySubscriber() {
		this.script.then(Mono.just(Answer.accepted("one"))).then(Mono.just(Answer.accepted("two")));
		Mono<String> call = this.pipeline.execute(CALL, this.script);
		assertThat(call.block()).isEqualTo("one");
		assertThat(call.block()).isEqualTo("two");
	}

	private LlmCallPipeline strict(int maxAttempts) {
		return new LlmCallPipeline(this.limiter,
				Map.of("p", new RetryPolicy(maxAttempts, Backoff.DEFAULT, Set.of(), true, () -> 0)), this.time,
				List.of());
	}

	private int inFlight() {
		return this.limiter.snapshot().blockLast().accounts().get("default").inFlight();
	}

	private static Mono<Answer<String>> refusal(Duration hint) {
		return Mono.just(Answer.refused("refused", throttled(hint), 429, true));
	}

	private static ThrottleSignal throttled(Duration hint) {
		return ThrottleSignal.throttled(Tripped.REQUESTS, hint, null);
	}

}
