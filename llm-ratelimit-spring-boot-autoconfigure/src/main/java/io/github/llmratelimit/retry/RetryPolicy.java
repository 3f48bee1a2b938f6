package io.github.llmratelimit.retry;

import java.time.Duration;
import java.util.Set;
import java.util.function.DoubleSupplier;

import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows from a refusal. Holds no state.
 *
 * @param maxAttempts most attempts of a call, the first included
 * @param backoff how waits grow
 * @param retryOn HTTP statuses of failures that are retried; 0 stands for a connection
 * that was lost
 * @param failsWhenExhausted whether a call that was refused as often as it may be sent
 * fails by an exception of ours rather than end with the last response
 * @param random numbers from 0 to below 1, for the spread
 */
public record RetryPolicy(int maxAttempts, Backoff backoff, Set<Integer> retryOn, boolean failsWhenExhausted,
		DoubleSupplier random) {

	public RetryPolicy {
		if (maxAttempts < 1) {
			throw new IllegalArgumentException("max-attempts: " + maxAttempts + " (expected: > 0)");
		}
		retryOn = Set.copyOf(retryOn);
	}

	/**
	 * A policy that retries refusals only, and ends with the last response.
	 * @param maxAttempts most attempts of a call, the first included
	 * @param backoff how waits grow
	 * @param random numbers from 0 to below 1, for the spread
	 */
	public RetryPolicy(int maxAttempts, Backoff backoff, DoubleSupplier random) {
		this(maxAttempts, backoff, Set.of(), false, random);
	}

	/**
	 * The same for calls that end with whatever the first response is.
	 * @return a policy of one attempt
	 */
	public RetryPolicy neverRetrying() {
		return new RetryPolicy(1, this.backoff, this.random);
	}

	/**
	 * Decide on an answer without a status.
	 * @param signal what the provider's answer means
	 * @param attempt number of the attempt that got it, from 1
	 * @return the decision
	 */
	public RetryDecision decide(ThrottleSignal signal, int attempt) {
		return decide(signal, 0, attempt);
	}

	/**
	 * Decide.
	 * @param signal what the provider's answer means
	 * @param status its HTTP status, 0 if there was none
	 * @param attempt number of the attempt that got it, from 1
	 * @return the decision
	 */
	public RetryDecision decide(ThrottleSignal signal, int status, int attempt) {
		return switch (signal.outcome()) {
			case NOT_SENT ->
				new RetryDecision(attempt == 1 && attempt < this.maxAttempts, Cooldown.NONE, Duration.ZERO);
			case THROTTLED, OVERLOADED -> decide(signal.hint(), cooldown(signal, attempt), attempt);
			case FAILED, REJECTED -> this.retryOn.contains(status) ? decide(null, Cooldown.NONE, attempt)
					: RetryDecision.stop(Cooldown.NONE);
			default -> RetryDecision.stop(Cooldown.NONE);
		};
	}

	private Cooldown cooldown(ThrottleSignal signal, int attempt) {
		if (signal.tripped() == Tripped.CONCURRENCY) {
			return Cooldown.NONE;
		}
		Duration step = this.backoff.step(attempt);
		Cooldown cooldown = Cooldown.of((signal.hint() != null) ? signal.hint() : step);
		return cooldown.spreadOver(step, this.backoff.share(this.random.getAsDouble()));
	}

	private RetryDecision decide(@Nullable Duration hint, Cooldown cooldown, int attempt) {
		if (attempt >= this.maxAttempts) {
			return RetryDecision.stop(cooldown);
		}
		Duration step = this.backoff.step(attempt);
		Duration floor = (hint != null && hint.compareTo(step) > 0) ? hint : step;
		return new RetryDecision(true, cooldown, this.backoff.spread(floor, step, this.random.getAsDouble()));
	}

}
