package io.github.llmratelimit.retry;

import java.time.Duration;

/**
 * What follows from a refusal.
 *
 * @param retry whether the call is sent again
 * @param cooldown how long the level that was hit stays closed for all, zero to leave it
 * open
 * @param backoff how long this call waits before it gets in line again
 */
public record RetryDecision(boolean retry, Duration cooldown, Duration backoff) {

	/**
	 * The call is not sent again.
	 * @param cooldown how long the level stays closed
	 * @return the decision
	 */
	public static RetryDecision stop(Duration cooldown) {
		return new RetryDecision(false, cooldown, Duration.ZERO);
	}

}
