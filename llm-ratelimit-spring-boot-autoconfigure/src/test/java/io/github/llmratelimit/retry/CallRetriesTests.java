package io.github.llmratelimit.retry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.retry.event.RetryEvent;
import io.github.resilience4j.retry.event.RetryOnErrorEvent;
import io.github.resilience4j.retry.event.RetryOnRetryEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallRetries} and {@link Attempts}: what Resilience4j is told.
 */
class CallRetriesTests {

	private static final ThrottleSignal REFUSED = ThrottleSignal.throttled(Tripped.REQUESTS, null, "slow down");

	private final RetryRegistry registry = RetryRegistry.ofDefaults();

	private final CallRetries retries = new CallRetries("openai", new RetryPolicy(3, Backoff.DEFAULT, () -> 0),
			this.registry);

	private final Retry retry = this.registry.retry("llm-openai");

	private final List<RetryEvent> events = new ArrayList<>();

	@BeforeEach
	void listen() {
		this.retry.getEventPublisher().onEvent(this.events::add);
	}

	@Test
	void tellsOfACallThatNeedsNoRetry() {
		this.retries.start().succeeded();
		assertThat(this.retry.getMetrics().getNumberOfSuccessfulCallsWithoutRetryAttempt()).isOne();
		assertThat(this.events).isEmpty();
	}

	@Test
	void tellsOfARetryAndHowLongItWaits() {
		Attempts attempts = this.retries.start();
		Duration backoff = Duration.ofNanos(1_500_000_001);
		assertThat(attempts.failed(REFUSED, backoff, false)).isEqualTo(backoff);
		assertThat(attempts.current()).isEqualTo(2);
		assertThat(this.events).singleElement().isInstanceOfSatisfying(RetryOnRetryEvent.class, (event) -> {
			assertThat(event.getWaitInterval()).isEqualTo(Duration.ofMillis(1501));
			assertThat(event.getLastThrowable()).hasMessage("requests (slow down)").hasNoCause();
			assertThat(event.getLastThrowable().getStackTrace()).isEmpty();
		});
		attempts.succeeded();
		assertThat(this.retry.getMetrics().getNumberOfSuccessfulCallsWithRetryAttempt()).isOne();
	}

	@Test
	void tellsOfACallThatIsGivenUp() {
		Attempts attempts = this.retries.start();
		attempts.failed(REFUSED, Duration.ofSeconds(1), false);
		assertThat(attempts.failed(REFUSED, null, false)).isNull();
		assertThat(this.events).last().isInstanceOf(RetryOnErrorEvent.class);
		assertThat(attempts.current()).isEqualTo(2);
	}

	@Test
	void theRefusalOfAProbeIsNoAttempt() {
		Attempts attempts = this.retries.start();
		for (int i = 0; i < 10; i++) {
			assertThat(attempts.decide(REFUSED, 429, true).retry()).isTrue();
			attempts.failed(REFUSED, Duration.ofSeconds(1), true);
		}
		assertThat(attempts.current()).isEqualTo(1);
		assertThat(attempts.decide(REFUSED, 429, false).retry()).isTrue();
	}

	@Test
	void aKeyThatIsNotAcceptedIsReplacedOnceAndIsNoAttempt() {
		ThrottleSignal rejected = ThrottleSignal.of(CallOutcome.KEY_REJECTED);
		Attempts attempts = this.retries.start();
		RetryDecision decision = attempts.decide(rejected, 401, false);
		assertThat(decision).isEqualTo(new RetryDecision(true, Cooldown.NONE, Duration.ZERO));
		assertThat(attempts.failed(rejected, decision.backoff(), false)).isZero();
		assertThat(attempts.current()).isEqualTo(1);
		assertThat(attempts.decide(rejected, 401, false)).isEqualTo(RetryDecision.stop(Cooldown.NONE));
		assertThat(attempts.decide(REFUSED, 429, false).retry()).isTrue();
	}

	@Test
	void aKeyThatIsNotAcceptedIsNotReplacedWhereNothingIsRetried() {
		RetryPolicy once = new RetryPolicy(1, Backoff.DEFAULT, () -> 0);
		Attempts attempts = new CallRetries("once", once, RetryRegistry.ofDefaults()).start();
		assertThat(attempts.decide(ThrottleSignal.of(CallOutcome.KEY_REJECTED), 401, false).retry()).isFalse();
	}

	@Test
	void aRefusalInMidStreamClosesButIsNotRetried() {
		RetryDecision decision = this.retries
			.decideFinally(ThrottleSignal.throttled(Tripped.TOKENS, Duration.ofSeconds(7), null));
		assertThat(decision.retry()).isFalse();
		assertThat(decision.cooldown().atLeast()).isEqualTo(Duration.ofSeconds(7));
	}

	@ParameterizedTest
	@CsvSource({ "FAILED, 500, true", "FAILED, 502, false", "FAILED, 0, true", "REJECTED, 408, true",
			"REJECTED, 404, false", "QUOTA_EXHAUSTED, 500, false" })
	void retriesFailuresThatAreNamed(CallOutcome outcome, int status, boolean retried) {
		RetryPolicy policy = new RetryPolicy(3, Backoff.DEFAULT, Set.of(500, 408, 0), false, () -> 0.5);
		RetryDecision decision = policy.decide(ThrottleSignal.of(outcome), status, 2);
		assertThat(decision.retry()).isEqualTo(retried);
		assertThat(decision.cooldown()).isEqualTo(Cooldown.NONE);
		assertThat(decision.backoff()).isEqualTo(retried ? Duration.ofSeconds(3) : Duration.ZERO);
		assertThat(policy.decide(ThrottleSignal.of(outcome), status, 3).retry()).isFalse();
	}

}
