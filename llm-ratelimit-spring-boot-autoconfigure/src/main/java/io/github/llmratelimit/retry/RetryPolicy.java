package io.github.llmratelimit.retry;

import java.time.Duration;
import java.util.function.DoubleSupplier;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;

/**
 * Decides what follows from a refusal. Holds no state.
 *
 * @param maxAttempts most attempts of a call, the first included
 * @param backoff how waits grow
 * @param random numbers from 0 to below 1, for the spread
 */
public record RetryPolicy(int maxAttempts, Backoff backoff, DoubleSupplier random) {

	public RetryPolicy {
		if (maxAttempts < 1) {
			throw new IllegalArgumentException("max-attempts: " + maxAttempts + " (expected: > 0)");
		}
	}

	/**
	 * Decide.
	 * @param signal what the provider's answer means
	 * @param attempt number of the attempt that got it, from 1
	 * @return the decision
	 */
	public RetryDecision decide(ThrottleSignal signal, int attempt) {
		if (signal.outcome() == CallOutcome.NOT_SENT) {
			return new RetryDecision(attempt == 1 && attempt < this.maxAttempts, Duration.ZERO, Duration.ZERO);
		}
		if (!signal.isTransient()) {
			return RetryDecision.stop(Duration.ZERO);
		}
		Duration step = this.backoff.step(attempt);
		Duration hint = signal.hint();
		Duration cooldown = (signal.tripped() == Tripped.CONCURRENCY) ? Duration.ZERO : (hint != null) ? hint : step;
		if (attempt >= this.maxAttempts) {
			return RetryDecision.stop(cooldown);
		}
		Duration floor = (hint != null && hint.compareTo(step) > 0) ? hint : step;
		return new RetryDecision(true, cooldown, this.backoff.spread(floor, step, this.random.getAsDouble()));
	}

}
