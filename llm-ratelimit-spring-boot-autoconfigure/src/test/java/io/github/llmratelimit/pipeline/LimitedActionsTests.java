package io.github.llmratelimit.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.pipeline.ActionFailures.Reading;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.RecordedCalls;
import io.github.llmratelimit.testing.RecordedCalls.Completed;
import io.github.llmratelimit.testing.RecordingListener;
import io.github.llmratelimit.testing.SnapshotAssert;
import io.github.llmratelimit.testing.VirtualTime;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link LimitedActions}: what happens to actions of every kind.
 */
@Timeout(60)
class LimitedActionsTests {

	private static final LlmCall CALL = LlmCall.to("p");

	/* Short enough that the level reopens without a probe, which would be no attempt. */
	private static final Duration HINT = Duration.ofSeconds(2);

	private static final int MAX_ATTEMPTS = 3;

	private final VirtualTime time = new VirtualTime();

	private final RecordedCalls calls = new RecordedCalls();

	private final RecordingListener events = new RecordingListener();

	private final AdmissionController admission = new AdmissionController(
			List.of(ProviderPlan.of("p",
					LimitPlan.of(Limit.of("requests-per-minute", Counted.REQUESTS, 100, Duration.ofMinutes(1),
							LimitAlgorithm.SLIDING_WINDOW)))),
			new LocalLimitStore(this.time), this.time, List.of(this.calls, this.events));

	private final LlmCallPipeline pipeline = pipeline(false);

	private final LlmRateLimiter limiter = this.pipeline.limiter(LimitedActionsTests::read);

	private final AtomicInteger attempts = new AtomicInteger();

	private final Refused refused = new Refused();

	@ParameterizedTest
	@EnumSource
	void runsOnceUnderAPermit(Kind kind) {
		assertThat(end(kind.start(this.limiter, CALL, failing(0))).join()).isEqualTo("fine");
		assertThat(this.attempts).hasValue(1);
		assertOutcomes(CallOutcome.SUCCESS);
	}

	@ParameterizedTest
	@EnumSource
	void runsAgainInItsOldPlaceAfterARefusal(Kind kind) {
		assertThat(end(kind.start(this.limiter, CALL, failing(1))).join()).isEqualTo("fine");
		assertThat(this.attempts).hasValue(2);
		assertThat(this.calls.retries()).containsExactly(HINT);
		LlmCall again = this.calls.admitted().get(1).call();
		assertThat(again.turn().sequence()).isEqualTo(1);
		assertThat(again.turn().waited()).isEqualTo(HINT);
		assertOutcomes(CallOutcome.THROTTLED, CallOutcome.SUCCESS);
	}

	@ParameterizedTest
	@EnumSource
	void endsWithItsOwnFailureAfterTheLastAttempt(Kind kind) {
		assertThat(failureOf(kind.start(this.limiter, CALL, failing(9)))).isSameAs(this.refused);
		assertThat(this.attempts).hasValue(MAX_ATTEMPTS);
		assertOutcomes(CallOutcome.THROTTLED, CallOutcome.THROTTLED, CallOutcome.THROTTLED);
	}

	@ParameterizedTest
	@EnumSource
	void failsAfterTheLastAttemptIfSoConfigured(Kind kind) {
		LlmRateLimiter strict = pipeline(true).limiter(LimitedActionsTests::read);
		assertExhausted(failureOf(kind.start(strict, CALL, failing(9))));
	}

	@ParameterizedTest
	@EnumSource
	void failsAfterTheLastAttemptIfTheCallerHasAFallback(Kind kind) {
		assertExhausted(failureOf(kind.start(this.limiter.throwingRefusals(), CALL, failing(9))));
	}

	private void assertExhausted(Throwable failure) {
		assertThat(failure).isInstanceOfSatisfying(LlmRateLimitException.class, (refusal) -> {
			assertThat(refusal.reason()).isEqualTo(Reason.RETRIES_EXHAUSTED);
			assertThat(refusal.attempts()).isEqualTo(MAX_ATTEMPTS);
			assertThat(refusal.retryAfter()).isEqualTo(HINT);
		}).hasSuppressedException(this.refused);
		assertThat(this.attempts).hasValue(MAX_ATTEMPTS);
		assertIdle();
	}

	@ParameterizedTest
	@EnumSource
	void leavesNothingBehindWhenCancelledBetweenAttempts(Kind kind) {
		Running running = kind.start(this.limiter, CALL, failing(9));
		while (this.calls.retries().isEmpty()) {
			Thread.onSpinWait();
		}
		running.cancel().run();
		assertThatThrownBy(() -> running.result().join()).satisfiesAnyOf(
				(failure) -> assertThat(failure).isInstanceOf(CancellationException.class),
				(failure) -> assertThat(failure).hasCauseInstanceOf(CancellationException.class));
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.attempts).hasValue(1);
		assertOutcomes(CallOutcome.THROTTLED);
		assertThat(this.time.timers()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void doesNotRunAgainAfterAFailureThatNoLimitHasCaused(Kind kind) {
		IllegalStateException broken = new IllegalStateException("broken");
		assertThat(failureOf(kind.start(this.limiter.throwingRefusals(), CALL, () -> {
			this.attempts.incrementAndGet();
			throw broken;
		}))).isSameAs(broken);
		assertThat(this.attempts).hasValue(1);
		assertOutcomes(CallOutcome.FAILED);
	}

	@ParameterizedTest
	@EnumSource
	void leavesTheRetriesToTheExchangeThatTakesItsPlace(Kind kind) {
		ScriptedExchange exchange = new ScriptedExchange();
		for (int i = 0; i < MAX_ATTEMPTS; i++) {
			exchange.then(Mono.just(Answer.refused("refused", refusal(null), 429, true)));
		}
		Supplier<Mono<String>> action = () -> {
			this.attempts.incrementAndGet();
			return this.pipeline.execute(CALL, exchange).flatMap((answer) -> Mono.error(this.refused));
		};
		assertThat(failureOf(kind.startReactive(this.limiter, CALL, action))).isSameAs(this.refused);
		assertThat(this.attempts).hasValue(1);
		assertThat(exchange.permits).hasSize(MAX_ATTEMPTS);
		assertOutcomes(CallOutcome.NOT_SENT, CallOutcome.THROTTLED, CallOutcome.THROTTLED, CallOutcome.THROTTLED);
	}

	@ParameterizedTest
	@EnumSource
	void tellsACallerWithAFallbackWhatTheExchangeInItsPlaceCouldNot(Kind kind) {
		ScriptedExchange exchange = new ScriptedExchange()
			.then(Mono.just(Answer.refused("refused", refusal(null), 429, false)));
		Supplier<Mono<String>> action = () -> this.pipeline.execute(CALL, exchange)
			.flatMap((answer) -> Mono.error(this.refused));
		assertThat(failureOf(kind.startReactive(this.limiter.throwingRefusals(), CALL, action)))
			.isInstanceOf(LlmRateLimitException.class)
			.hasSuppressedException(this.refused);
		assertOutcomes(CallOutcome.NOT_SENT, CallOutcome.THROTTLED);
	}

	@ParameterizedTest
	@EnumSource
	void passesOnTheRefusalOfALimiterInside(Kind kind) {
		LlmRateLimitException inside = new LlmRateLimitException(Reason.QUEUE_FULL, "q", "full", null, 0);
		assertThat(failureOf(kind.start(this.limiter, CALL, () -> {
			this.attempts.incrementAndGet();
			throw inside;
		}))).isSameAs(inside);
		assertThat(this.attempts).hasValue(1);
		assertIdle();
	}

	@ParameterizedTest
	@EnumSource
	void takesTheOptionsOfTheScopeAroundIt(Kind kind) {
		LlmCallScope scope = LlmCallScope.of(LlmRateLimitAttributes.priority(Priority.BATCH),
				LlmRateLimitAttributes.model("m"));
		scope.during(() -> end(kind.start(this.limiter, CALL.withModel("own"), failing(0))).join());
		LlmCall call = this.calls.admitted().get(0).call();
		assertThat(call.priority()).isEqualTo(Priority.BATCH);
		assertThat(call.model()).isEqualTo("own");
	}

	@Test
	void doesNotRunAStreamAgainThatHasBegun() {
		List<Object> seen = new ArrayList<>();
		this.limiter.throwingRefusals()
			.execute(CALL, Flux.just("first").concatWith(Mono.error(this.refused)))
			.subscribe(seen::add, seen::add);
		assertThat(seen).containsExactly("first", this.refused);
		assertThat(this.events.events()).contains("throttled REQUESTS " + HINT);
		assertOutcomes(CallOutcome.THROTTLED);
	}

	@Test
	void runsAStreamAgainThatHasNotBegun() {
		Flux<String> stream = Flux
			.defer(() -> (this.attempts.incrementAndGet() == 1) ? Flux.error(this.refused) : Flux.just("a", "b"));
		List<String> seen = new ArrayList<>();
		this.limiter.execute(CALL, stream).subscribe(seen::add);
		this.time.advance(HINT);
		assertThat(seen).containsExactly("a", "b");
		assertIdle();
	}

	@Test
	void anEmptyActionIsASuccess() {
		assertThat(this.limiter.execute(CALL, Mono.empty()).blockOptional()).isEmpty();
		assertThat(this.limiter.<Object>executeBlocking(CALL, () -> null)).isNull();
		assertOutcomes(CallOutcome.SUCCESS, CallOutcome.SUCCESS);
	}

	@Test
	void startsAnewForEverySubscriber() {
		Mono<String> call = this.limiter.execute(CALL, Mono.fromSupplier(failing(4)));
		assertThat(failureOf(Running.of(call.toFuture()))).isSameAs(this.refused);
		assertThat(end(Running.of(call.toFuture())).join()).isEqualTo("fine");
		assertThat(this.attempts).hasValue(5);
	}

	@Test
	void doesNotWaitLongerThanTheCallMay() {
		LlmCall impatient = CALL.withMaxWait(Duration.ofSeconds(1));
		assertThatThrownBy(() -> this.limiter.execute(impatient, Mono.fromSupplier(failing(9))).block())
			.isSameAs(this.refused);
		this.time.advance(HINT);
		assertThatExceptionOfType(LlmRateLimitException.class).isThrownBy(() -> this.limiter.throwingRefusals()
			.executeBlocking(impatient.withMaxWait(HINT.multipliedBy(2)), () -> {
				throw new Refused(Duration.ofMinutes(1));
			})).satisfies((refusal) -> {
				assertThat(refusal.reason()).isEqualTo(Reason.WAIT_TOO_LONG);
				assertThat(refusal.retryAfter()).isEqualTo(Duration.ofMinutes(1));
			});
		assertThat(this.time.timers()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "true", "false" })
	void saysWhyItIsNotAdmittedAgain(boolean fallback) {
		Permit other = this.admission.acquire(CALL).block();
		LlmRateLimiter asked = fallback ? this.limiter.throwingRefusals() : this.limiter;
		CompletableFuture<String> result = asked
			.execute(CALL.withMaxWait(Duration.ofSeconds(20)), Mono.fromSupplier(failing(9)))
			.toFuture();
		other.refuse(refusal(Duration.ofMinutes(1)), Cooldown.of(Duration.ofMinutes(1)));
		this.time.advance(HINT);
		Throwable failure = result.handle((value, thrown) -> thrown).join();
		if (fallback) {
			assertThat(failure).isInstanceOfSatisfying(LlmRateLimitException.class, (refusal) -> {
				assertThat(refusal.reason()).isEqualTo(Reason.WAIT_TOO_LONG);
				assertThat(refusal.attempts()).isOne();
			});
		}
		else {
			assertThat(failure).isSameAs(this.refused);
		}
		assertIdle();
	}

	@Test
	void triesAtOnceAgainWhatWasNotSent() {
		String result = this.limiter.executeBlocking(CALL, () -> {
			if (this.attempts.incrementAndGet() == 1) {
				throw new UncheckedIOException(new ConnectException("refused"));
			}
			return "fine";
		});
		assertThat(result).isEqualTo("fine");
		assertOutcomes(CallOutcome.NOT_SENT, CallOutcome.SUCCESS);
	}

	@Test
	void runsAgainAfterALostConnectionOnlyIfItWasOne() {
		LlmRateLimiter patient = new LlmCallPipeline(this.admission,
				Map.of("p", new RetryPolicy(2, Backoff.DEFAULT, Set.of(0), false, () -> 0)), this.time, List.of())
			.limiter(LimitedActionsTests::read);
		assertThat(
				failureOf(Kind.MONO.start(patient, CALL, thrower(() -> new UncheckedIOException(new IOException())))))
			.isInstanceOf(UncheckedIOException.class);
		assertThat(this.attempts).hasValue(2);
		assertThat(failureOf(Kind.MONO.start(patient, CALL, thrower(() -> new IllegalArgumentException("parse")))))
			.isInstanceOf(IllegalArgumentException.class);
		assertThat(this.attempts).hasValue(3);
	}

	@Test
	void asksTheClassifierOfTheCallFirst() {
		LlmRateLimiter own = this.limiter.withClassifier((failure) -> (failure instanceof ArithmeticException)
				? ThrottleSignal.throttled(Tripped.UNKNOWN, Duration.ofSeconds(3), null) : null);
		CompletableFuture<String> first = own
			.execute(CALL, Mono.<String>fromSupplier(thrower(() -> new ArithmeticException("slow down"))))
			.toFuture();
		CompletableFuture<String> second = own.execute(CALL, Mono.fromSupplier(failing(9))).toFuture();
		assertThat(this.calls.retries()).startsWith(Duration.ofSeconds(3));
		this.time.advance(Duration.ofMinutes(2));
		assertThat(first).isCompletedExceptionally();
		assertThat(second).isCompletedExceptionally();
		assertIdle();
	}

	@Test
	void readsWhatIsInsideTheWrappersOfFutures() {
		List<Throwable> read = new ArrayList<>();
		LlmRateLimiter own = this.limiter.withClassifier((failure) -> {
			read.add(failure);
			return null;
		});
		assertThatThrownBy(() -> own.executeBlocking(CALL,
				() -> CompletableFuture.failedFuture(new ArithmeticException("inside")).join()))
			.isInstanceOf(CompletionException.class);
		assertThat(read).singleElement().isInstanceOf(ArithmeticException.class);
	}

	@Test
	void endsThePermitAlsoIfAClassifierFails() {
		LlmRateLimiter broken = this.limiter.withClassifier((failure) -> {
			throw new IllegalStateException("classifier");
		});
		assertThatThrownBy(() -> broken.executeBlocking(CALL, failing(9))).isSameAs(this.refused)
			.satisfies((failure) -> assertThat(failure.getSuppressed()).singleElement()
				.asInstanceOf(InstanceOfAssertFactories.THROWABLE)
				.hasMessage("classifier"));
		assertOutcomes(CallOutcome.FAILED);
	}

	@Test
	void observesTheLimitsOfAResponse() {
		LlmRateLimiter own = this.pipeline.limiter((call, failure) -> new Reading(
				ThrottleSignal.of(CallOutcome.REJECTED), 400,
				new ObservedLimits(List.of(new Observed(Counted.REQUESTS, Duration.ofMinutes(1), 100L, 7L, null)))));
		assertThatThrownBy(() -> own.executeBlocking(CALL, failing(9))).isSameAs(this.refused);
		assertThat(this.admission.snapshot().blockLast().accounts().get("default").limits().get(0).remaining())
			.isEqualTo(7);
	}

	@Test
	void namesAProviderThatItDoesNotKnow() {
		assertThatThrownBy(() -> this.limiter.execute(LlmCall.to("other"), Mono.just("never")).block())
			.hasMessage("provider: other (expected: one of [p])");
	}

	private LlmCallPipeline pipeline(boolean failsWhenExhausted) {
		return new LlmCallPipeline(this.admission,
				Map.of("p", new RetryPolicy(MAX_ATTEMPTS, Backoff.DEFAULT, Set.of(), failsWhenExhausted, () -> 0)),
				this.time, List.of(this.calls, this.events));
	}

	private Supplier<String> failing(int times) {
		return () -> {
			if (this.attempts.incrementAndGet() <= times) {
				throw this.refused;
			}
			return "fine";
		};
	}

	private Supplier<String> thrower(Supplier<RuntimeException> failure) {
		return () -> {
			this.attempts.incrementAndGet();
			throw failure.get();
		};
	}

	private CompletableFuture<String> end(Running running) {
		while (!running.result().isDone()) {
			this.time.advance(Duration.ofMillis(100));
		}
		return running.result();
	}

	private Throwable failureOf(Running running) {
		return end(running).handle((value, failure) -> failure).join();
	}

	private void assertOutcomes(CallOutcome... outcomes) {
		assertThat(this.calls.completed()).extracting(Completed::outcome).containsExactly(outcomes);
		assertIdle();
	}

	private void assertIdle() {
		SnapshotAssert.assertThat(this.admission.snapshot().blockLast()).isIdle();
	}

	private static Reading read(LlmCall call, Throwable failure) {
		return (failure instanceof Refused refused) ? Reading.of(refusal(refused.hint))
				: Reading.withoutResponse(failure);
	}

	private static ThrottleSignal refusal(Duration hint) {
		return ThrottleSignal.throttled(Tripped.REQUESTS, hint, null);
	}

	@SuppressWarnings("serial")
	private static final class Refused extends RuntimeException {

		private final Duration hint;

		Refused() {
			this(HINT);
		}

		Refused(Duration hint) {
			super("refused");
			this.hint = hint;
		}

	}

	/**
	 * An action that runs, and how it is cancelled.
	 */
	private record Running(CompletableFuture<String> result, Runnable cancel) {

		static Running of(CompletableFuture<String> result) {
			return new Running(result, () -> result.cancel(true));
		}

	}

	/**
	 * The kinds of actions.
	 */
	enum Kind {

		MONO {

			@Override
			Running startReactive(LlmRateLimiter limiter, LlmCall call, Supplier<Mono<String>> action) {
				return Running.of(limiter.execute(call, Mono.defer(action)).toFuture());
			}

		},

		FLUX {

			@Override
			Running startReactive(LlmRateLimiter limiter, LlmCall call, Supplier<Mono<String>> action) {
				return Running.of(limiter.execute(call, Flux.defer(action)).single().toFuture());
			}

		},

		ASYNC {

			@Override
			Running startReactive(LlmRateLimiter limiter, LlmCall call, Supplier<Mono<String>> action) {
				return Running.of(limiter.executeAsync(call, () -> Mono.defer(action).toFuture()));
			}

		},

		BLOCKING {

			@Override
			Running startReactive(LlmRateLimiter limiter, LlmCall call, Supplier<Mono<String>> action) {
				CompletableFuture<String> result = new CompletableFuture<>();
				LlmCallScope scope = LlmCallScope.CURRENT.get();
				Thread thread = new Thread(() -> {
					LlmCallScope.CURRENT.set(scope);
					try {
						result.complete(limiter.executeBlocking(call, on(Thread.currentThread(), action)));
					}
					catch (Throwable failure) {
						result.completeExceptionally(failure);
					}
				});
				thread.start();
				return new Running(result, thread::interrupt);
			}

			private static Supplier<String> on(Thread thread, Supplier<Mono<String>> action) {
				return () -> {
					assertThat(Thread.currentThread()).isSameAs(thread);
					return Mono.defer(action).toFuture().handle(Kind::valueOrThrown).join().get();
				};
			}

		};

		abstract Running startReactive(LlmRateLimiter limiter, LlmCall call, Supplier<Mono<String>> action);

		Running start(LlmRateLimiter limiter, LlmCall call, Supplier<String> action) {
			return startReactive(limiter, call, () -> Mono.fromSupplier(action));
		}

		private static Supplier<String> valueOrThrown(String value, Throwable failure) {
			return () -> {
				if (failure != null) {
					throw (RuntimeException) failure;
				}
				return value;
			};
		}

	}

}
