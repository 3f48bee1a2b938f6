package io.github.llmratelimit.retry;

import java.time.Duration;

import io.github.llmratelimit.Cooldown;

/**
 * What follows from a refusal.
 *
 * @param retry whether the call is sent again
 * @param cooldown how long the level that was hit stays closed for all
 * @param backoff how long this call waits before it gets in line again
 */
public record RetryDecision(boolean retry, Cooldown cooldown, Duration backoff) {

	/**
	 * The call is not sent again.
	 * @param cooldown how long the level stays closed
	 * @return the decision
	 */
	public static RetryDecision stop(Cooldown cooldown) {
		return new RetryDecision(false, cooldown, Duration.ZERO);
	}

}
