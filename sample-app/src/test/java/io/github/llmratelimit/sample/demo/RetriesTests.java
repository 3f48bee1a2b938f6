package io.github.llmratelimit.sample.demo;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.retry.Retry;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.WebClientResponseException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Retries}.
 */
class RetriesTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final AtomicInteger attempts = new AtomicInteger();

	@Test
	void waitsAsLongAsTold() {
		StepVerifier.withVirtualTime(() -> refusedTwice(Retries.whenToldTo()))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(2999))
			.thenAwait(Duration.ofMillis(1))
			.expectNext(3)
			.expectComplete()
			.verify(TIMEOUT);
	}

	@Test
	void waitsTheSameEveryTime() {
		StepVerifier.withVirtualTime(() -> refusedTwice(Retries.fixed(Duration.ofSeconds(5))))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(9999))
			.thenAwait(Duration.ofMillis(1))
			.expectNext(3)
			.expectComplete()
			.verify(TIMEOUT);
	}

	@Test
	void waitsLongerEveryTime() {
		StepVerifier
			.withVirtualTime(() -> refusedTwice(Retries.exponential(Duration.ofSeconds(1), Duration.ofSeconds(60))))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(1999))
			.thenAwait(Duration.ofSeconds(5))
			.expectNext(3)
			.expectComplete()
			.verify(TIMEOUT);
	}

	@Test
	void triesOnceWithoutRetries() {
		StepVerifier.create(refusedTwice(Retries.none()))
			.expectErrorMatches(Exceptions::isRetryExhausted)
			.verify(TIMEOUT);
		assertThat(this.attempts).hasValue(1);
	}

	@Test
	void doesNotRetryOtherErrors() {
		StepVerifier.create(Mono.error(new IllegalStateException()).retryWhen(Retries.whenToldTo()))
			.expectError(IllegalStateException.class)
			.verify(TIMEOUT);
	}

	private Mono<Integer> refusedTwice(Retry retry) {
		return Mono.defer(() -> {
			int attempt = this.attempts.incrementAndGet();
			return (attempt <= 2) ? Mono.<Integer>error(refusal()) : Mono.just(attempt);
		}).retryWhen(retry);
	}

	private static WebClientResponseException refusal() {
		HttpHeaders headers = new HttpHeaders();
		headers.set("retry-after-ms", "1500");
		return WebClientResponseException.create(HttpStatus.TOO_MANY_REQUESTS, "Too Many Requests", headers,
				new byte[0], null, null);
	}

}
