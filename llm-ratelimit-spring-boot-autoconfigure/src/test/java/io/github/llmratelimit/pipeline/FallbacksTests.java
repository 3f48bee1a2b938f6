package io.github.llmratelimit.pipeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.RefusedCall;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.RecordingListener;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.resilience4j.retry.RetryRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Fallbacks}: when they are asked, and what becomes of their answers.
 */
class FallbacksTests {

	private static final LlmCall CALL = LlmCall.to("p").withMaxWait(Duration.ofSeconds(30));

	private final VirtualTime time = new VirtualTime();

	private final RecordingListener events = new RecordingListener();

	private final AdmissionController limiter = new AdmissionController(
			List.of(plan("p"), plan("q"), ProviderPlan.of("busy", LimitPlan.UNLIMITED.withMaxConcurrency(1))),
			new LocalLimitStore(this.time), this.time, List.of());

	private final ScriptedExchange exchange = new ScriptedExchange();

	private final List<LlmFallback> fallbacks = new ArrayList<>();

	private final List<RefusedCall> asked = new ArrayList<>();

	private final List<Object> results = new ArrayList<>();

	private boolean failsWhenExhausted;

	@Test
	void answersACallThatIsNotAdmitted() {
		useUpTheLimit();
		answerWith("instead");
		call();
		assertThat(this.results).containsExactly("instead");
		assertThat(this.asked).singleElement().satisfies((refused) -> {
			assertThat(refused.call()).isEqualTo(CALL);
			assertThat(refused.refusal().reason()).isEqualTo(Reason.WAIT_TOO_LONG);
			assertThat(refused.refusal().attempts()).isZero();
		});
		assertThat(this.events.events()).containsExactly("fallback WAIT_TOO_LONG");
	}

	@Test
	void answersACallThatWasRefusedAsOftenAsItMayBeSentInsteadOfTheLastResponse() {
		this.exchange.then(refused(throttled(null))).then(refused(throttled(null)));
		answerWith("instead");
		call();
		assertThat(this.results).isEmpty();
		this.time.advance(Duration.ofSeconds(3));
		assertThat(this.results).containsExactly("instead");
		assertThat(this.asked.get(0).refusal().reason()).isEqualTo(Reason.RETRIES_EXHAUSTED);
		assertThat(this.asked.get(0).refusal().attempts()).isEqualTo(2);
	}

	@Test
	void answersAtOnceWhatTheProviderHintsAtIsTooLong() {
		this.exchange.then(refused(throttled(Duration.ofMinutes(5))));
		answerWith("instead");
		call();
		assertThat(this.results).containsExactly("instead");
		assertThat(this.asked.get(0).refusal().reason()).isEqualTo(Reason.WAIT_TOO_LONG);
		assertThat(this.asked.get(0).refusal().retryAfter()).isEqualTo(Duration.ofMinutes(5));
	}

	@ParameterizedTest
	@CsvSource({ "QUOTA_EXHAUSTED, QUOTA_EXHAUSTED", "BANNED, BANNED", "TOO_LARGE, NEVER_FITS" })
	void answersWhatTheProviderRefusesForGood(CallOutcome outcome, Reason reason) {
		this.exchange.then(refused(ThrottleSignal.of(outcome)));
		answerWith("instead");
		call();
		assertThat(this.results).containsExactly("instead");
		assertThat(this.asked.get(0).refusal().reason()).isEqualTo(reason);
		assertThat(this.asked.get(0).refusal().attempts()).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "REJECTED", "FAILED", "KEY_REJECTED" })
	void isNotAskedAboutWhatNoLimitHasCaused(CallOutcome outcome) {
		this.exchange.then(refused(ThrottleSignal.of(outcome)));
		answerWith("instead");
		call();
		assertThat(this.results).containsExactly("refused");
		assertThat(this.asked).isEmpty();
	}

	@Test
	void isNotAskedIfTheCallIsAccepted() {
		this.exchange.then(Mono.just(Answer.accepted("fine")));
		answerWith("instead");
		call();
		assertThat(this.results).containsExactly("fine");
		assertThat(this.asked).isEmpty();
	}

	@Test
	void leavesAResponseToTheCallerThatIsNotWholeInMemory() {
		this.exchange.then(Mono.just(Answer.refused("endless", throttled(null), 429, false)));
		answerWith("instead");
		call();
		assertThat(this.results).containsExactly("endless");
	}

	@Test
	void theFirstThatAnswersIsTheLastThatIsAsked() {
		useUpTheLimit();
		this.fallbacks.add((refused) -> Mono.empty());
		this.fallbacks.add(LlmFallback.forProvider("q", (refused) -> Mono.just(FallbackAnswer.json("of another"))));
		answerWith("second");
		answerWith("third");
		call();
		assertThat(this.results).containsExactly("second");
		assertThat(this.asked).hasSize(1);
	}

	@Test
	void theCallerGetsTheRefusalIfNoneAnswers() {
		useUpTheLimit();
		IllegalStateException late = new IllegalStateException("late");
		IllegalStateException thrown = new IllegalStateException("thrown");
		this.fallbacks.add((refused) -> Mono.empty());
		this.fallbacks.add((refused) -> Mono.error(late));
		this.fallbacks.add((refused) -> {
			throw thrown;
		});
		this.fallbacks.add((refused) -> Mono.error(refused.refusal()));
		this.fallbacks.add((refused) -> null);
		call();
		assertThat(this.results).singleElement().isInstanceOfSatisfying(LlmRateLimitException.class, (refusal) -> {
			assertThat(refusal.reason()).isEqualTo(Reason.WAIT_TOO_LONG);
			assertThat(refusal.getSuppressed()).hasSize(3).startsWith(late, thrown);
			assertThat(refusal.getSuppressed()[2]).isInstanceOf(NullPointerException.class);
		});
		assertThat(this.events.events()).isEmpty();
	}

	@Test
	void theCallerGetsTheLastResponseIfNoneAnswers() {
		this.exchange.then(refused(ThrottleSignal.of(CallOutcome.QUOTA_EXHAUSTED)));
		this.fallbacks.add((refused) -> Mono.error(new IllegalStateException("broken")));
		call();
		assertThat(this.results).containsExactly("refused");
	}

	@Test
	void theCallerGetsTheExceptionThatIsConfiguredIfNoneAnswers() {
		this.failsWhenExhausted = true;
		this.exchange.then(refused(throttled(Duration.ofHours(1))));
		this.fallbacks.add((refused) -> Mono.error(new IllegalStateException("broken")));
		call();
		assertThat(this.results).singleElement()
			.isInstanceOfSatisfying(LlmRateLimitException.class,
					(refusal) -> assertThat(refusal.getSuppressed()).hasSize(1));
	}

	@Test
	void isAskedOnceWhateverItAnswers() {
		this.failsWhenExhausted = true;
		this.exchange.then(refused(throttled(Duration.ofSeconds(1)))).then(refused(throttled(null)));
		this.fallbacks.add((refused) -> {
			this.asked.add(refused);
			return Mono.empty();
		});
		call();
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.asked).hasSize(1);
		assertThat(this.results).hasSize(1);
	}

	@Test
	void knowsTheContextOfTheCaller() {
		useUpTheLimit();
		this.fallbacks
			.add((refused) -> Mono.deferContextual((context) -> Mono.just(FallbackAnswer.json(context.get("tenant")))));
		pipeline().execute(CALL, this.exchange)
			.contextWrite((context) -> context.put("tenant", "acme"))
			.subscribe(this.results::add, this.results::add);
		assertThat(this.results).containsExactly("acme");
	}

	@Test
	void takesItsTimeWithoutATimerOfOurs() {
		useUpTheLimit();
		this.fallbacks.add((refused) -> Mono.just(FallbackAnswer.json("at last"))
			.delayElement(Duration.ofDays(2), this.time.scheduler()));
		call();
		this.time.advance(Duration.ofDays(2).minusNanos(1));
		assertThat(this.results).isEmpty();
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.results).containsExactly("at last");
	}

	@Test
	void isCancelledWithTheCallAndAsksNobodyElse() {
		useUpTheLimit();
		List<String> told = new ArrayList<>();
		this.fallbacks.add((refused) -> Mono.<FallbackAnswer>never().doOnCancel(() -> told.add("cancelled")));
		answerWith("too late");
		Disposable call = call();
		call.dispose();
		assertThat(told).containsExactly("cancelled");
		assertThat(this.asked).isEmpty();
		assertThat(this.events.events()).isEmpty();
	}

	@Test
	void aCallInsideAFallbackHasNone() {
		useUpTheLimit();
		ScriptedExchange other = new ScriptedExchange().then(refused(throttled(Duration.ofHours(1))));
		this.fallbacks.add((refused) -> {
			this.asked.add(refused);
			return pipeline().execute(LlmCall.to("q"), other).map(FallbackAnswer::json);
		});
		call();
		assertThat(this.asked).extracting((refused) -> refused.call().provider()).containsExactly("p");
		assertThat(this.results).singleElement().isInstanceOfSatisfying(LlmRateLimitException.class, (refusal) -> {
			assertThat(refusal.provider()).isEqualTo("p");
			assertThat(refusal.getSuppressed()).singleElement()
				.isInstanceOfSatisfying(LlmRateLimitException.class,
						(inner) -> assertThat(inner.provider()).isEqualTo("q"));
		});
	}

	@Test
	void tellsTheTimeThatIsLeft() {
		this.exchange.then(refused(throttled(Duration.ofSeconds(20)))).then(refused(throttled(Duration.ofSeconds(20))));
		answerWith("instead");
		call();
		this.time.advance(Duration.ofSeconds(20));
		assertThat(this.results).containsExactly("instead");
		assertThat(this.asked.get(0).call()).isEqualTo(CALL.withMaxWait(Duration.ofSeconds(10)));
	}

	@Test
	void tellsThatNoTimeIsLeftAfterALongWait() {
		this.limiter.acquire(LlmCall.to("busy")).subscribe();
		answerWith("instead");
		pipeline().execute(LlmCall.to("busy").withMaxWait(Duration.ofSeconds(5)), this.exchange)
			.subscribe(this.results::add, this.results::add);
		this.time.advance(Duration.ofSeconds(5));
		assertThat(this.results).containsExactly("instead");
		assertThat(this.asked.get(0).call().maxWait()).isEqualTo(Duration.ZERO);
	}

	@Test
	void aListenerThatThrowsDoesNotTouchTheCall() {
		useUpTheLimit();
		answerWith("instead");
		RateLimitListener broken = new RateLimitListener() {

			@Override
			public void onFallback(LlmCall call, LlmRateLimitException refusal) {
				throw new IllegalStateException("broken");
			}

		};
		pipeline(broken).execute(CALL, this.exchange).subscribe(this.results::add, this.results::add);
		assertThat(this.results).containsExactly("instead");
	}

	private void answerWith(String answer) {
		this.fallbacks.add((refused) -> {
			this.asked.add(refused);
			return Mono.just(FallbackAnswer.json(answer));
		});
	}

	private void useUpTheLimit() {
		this.limiter.acquire(LlmCall.to("p")).subscribe();
		this.limiter.acquire(LlmCall.to("p")).subscribe();
	}

	private Disposable call() {
		return pipeline().execute(CALL, this.exchange).subscribe(this.results::add, this.results::add);
	}

	private LlmCallPipeline pipeline(RateLimitListener... more) {
		List<RateLimitListener> listeners = new ArrayList<>(List.of(more));
		listeners.add(this.events);
		RetryPolicy policy = new RetryPolicy(2, Backoff.DEFAULT, Set.of(), this.failsWhenExhausted, () -> 0);
		return new LlmCallPipeline(this.limiter, Map.of("p", policy, "q", policy, "busy", policy),
				RetryRegistry.ofDefaults(), this.time, listeners, this.fallbacks);
	}

	private static ProviderPlan plan(String provider) {
		return ProviderPlan.of(provider, LimitPlan.of(Limit.of("requests-per-minute", Counted.REQUESTS, 2,
				Duration.ofMinutes(1), LimitAlgorithm.SLIDING_WINDOW)));
	}

	private static Mono<Answer<String>> refused(ThrottleSignal signal) {
		return Mono.just(Answer.refused("refused", signal, 429, true));
	}

	private static ThrottleSignal throttled(Duration hint) {
		return ThrottleSignal.throttled(Tripped.REQUESTS, hint, null);
	}

}
