package io.github.llmratelimit.benchmarks.simulation;

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
public record RetryStrategy(long maxAttempts, RetryDelay delay) implements Strategy {

	/** As many attempts as it takes. */
	public static final long UNLIMITED = Long.MAX_VALUE;

	private static final int TOO_MANY_REQUESTS = 429;

	/**
	 * The same wait each time.
	 * @param interval the wait
	 * @return the strategy, with unlimited attempts
	 */
	public static RetryStrategy fixed(Duration interval) {
		return new RetryStrategy(UNLIMITED, (refusal, retries, random) -> interval);
	}

	/**
	 * A wait that doubles each time.
	 * @param base the first wait
	 * @param cap the longest
	 * @return the strategy, with unlimited attempts
	 */
	public static RetryStrategy exponential(Duration base, Duration cap) {
		return new RetryStrategy(UNLIMITED, (refusal, retries, random) -> step(base, cap, retries));
	}

	private static Duration step(Duration base, Duration cap, long retries) {
		return Duration.ofNanos((long) Math.min(cap.toNanos(), base.toNanos() * Math.pow(2, retries)));
	}

	/**
	 * The wait that the provider asks for, else a second.
	 * @return the strategy, with unlimited attempts
	 */
	public static RetryStrategy retryAfter() {
		return new RetryStrategy(UNLIMITED, (refusal, retries, random) -> {
			String hint = refusal.getHeaders().getFirst("retry-after-ms");
			return Duration.ofMillis((hint != null) ? Long.parseLong(hint) : 1000);
		});
	}

	/**
	 * Anything from nothing to the wait.
	 * @return the strategy with full jitter
	 */
	public RetryStrategy withFullJitter() {
		return new RetryStrategy(this.maxAttempts, (refusal, retries, random) -> Duration
			.ofNanos((long) (this.delay.after(refusal, retries, random).toNanos() * random.nextDouble())));
	}

	public RetryStrategy withMaxAttempts(long maxAttempts) {
		return new RetryStrategy(maxAttempts, this.delay);
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
	public interface RetryDelay {

		/**
		 * The wait.
		 * @param refusal the refusal
		 * @param retries how often the call was sent again before
		 * @param random the source of chance
		 * @return how long to wait
		 */
		Duration after(WebClientResponseException refusal, long retries, Random random);

	}

}
