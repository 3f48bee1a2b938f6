package io.github.llmratelimit.benchmarks.goodput;

import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;

import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import reactor.util.retry.Retry.RetrySignal;

import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/**
 * Sends at once and tries again after a refusal, as applications without a limiter do.
 *
 * @param maxAttempts most attempts of a call, the first included
 * @param delay how long to wait
 */
record RetryStrategy(long maxAttempts, RetryDelay delay) implements Strategy {

	static final long UNLIMITED = Long.MAX_VALUE;

	private static final int TOO_MANY_REQUESTS = 429;

	static RetryStrategy fixed(Duration interval, long maxAttempts) {
		return new RetryStrategy(maxAttempts, (refusal, attempt, random) -> interval);
	}

	/** Full jitter: anything from nothing to the step, which doubles up to a minute. */
	static RetryStrategy exponential(long maxAttempts) {
		return new RetryStrategy(maxAttempts, (refusal, attempt, random) -> {
			double step = Math.min(60, Math.pow(2, attempt));
			return Duration.ofNanos((long) (step * 1e9 * random.nextDouble()));
		});
	}

	static RetryStrategy retryAfter(long maxAttempts) {
		return new RetryStrategy(maxAttempts, (refusal, attempt, random) -> {
			String hint = refusal.getHeaders().getFirst("retry-after-ms");
			return Duration.ofMillis((hint != null) ? Long.parseLong(hint) : 1000);
		});
	}

	@Override
	public UnaryOperator<Mono<Void>> prepare(WebClient.Builder client, VirtualTime time, long seed) {
		Random random = new Random(seed);
		Retry retry = Retry.from((failures) -> failures.concatMap((failure) -> pause(failure, random, time)));
		return (call) -> call.retryWhen(retry);
	}

	private Mono<Long> pause(RetrySignal signal, Random random, VirtualTime time) {
		if (signal.failure() instanceof WebClientResponseException refusal
				&& refusal.getStatusCode().value() == TOO_MANY_REQUESTS
				&& signal.totalRetries() + 1 < this.maxAttempts) {
			return Mono.delay(this.delay.after(refusal, signal.totalRetries(), random), time.scheduler());
		}
		return Mono.error(signal.failure());
	}

	/**
	 * How long a call waits after a refusal.
	 */
	@FunctionalInterface
	interface RetryDelay {

		Duration after(WebClientResponseException refusal, long retries, Random random);

	}

}
