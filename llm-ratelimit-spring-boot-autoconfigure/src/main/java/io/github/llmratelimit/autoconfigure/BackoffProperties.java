package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.llmratelimit.ClosingRules;
import io.github.llmratelimit.retry.Backoff.Jitter;
import io.github.llmratelimit.retry.Backoff.Strategy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What happens after a refusal.
 *
 * @param scope Whom a refusal slows down.
 * @param maxAttempts Number of attempts of a call, the first included.
 * @param strategy How the wait grows from attempt to attempt.
 * @param baseDelay Wait before the second attempt, where the provider names none.
 * @param multiplier Factor by which an exponential wait grows.
 * @param maxDelay Longest step of the wait.
 * @param jitter How the wait is spread, always on top of its floor.
 * @param statuses Statuses that mean throttling, besides those of the dialect.
 * @param retryOn Statuses of failures that are retried, and connection-lost.
 * @param recheckAfter Time after which one call is let through a level that is closed for
 * longer.
 * @param reopenRamp Whether a level that was closed for some seconds opens by and by.
 * @param pauseLadder Pauses after consecutive bursts of refusals.
 */
record BackoffProperties(ClosingRules.@Nullable Scope scope, @Nullable Integer maxAttempts, @Nullable Strategy strategy,
		@Nullable Duration baseDelay, @Nullable Double multiplier, @Nullable Duration maxDelay, @Nullable Jitter jitter,
		@DefaultValue Set<Integer> statuses, @DefaultValue Set<String> retryOn, @Nullable Duration recheckAfter,
		@Nullable Boolean reopenRamp, @DefaultValue List<Rung> pauseLadder) {

	static final String CONNECTION_LOST = "connection-lost";

	BackoffProperties or(BackoffProperties inherited) {
		return new BackoffProperties(Inheritance.first(this.scope, inherited.scope),
				Inheritance.first(this.maxAttempts, inherited.maxAttempts),
				Inheritance.first(this.strategy, inherited.strategy),
				Inheritance.first(this.baseDelay, inherited.baseDelay),
				Inheritance.first(this.multiplier, inherited.multiplier),
				Inheritance.first(this.maxDelay, inherited.maxDelay), Inheritance.first(this.jitter, inherited.jitter),
				Inheritance.first(this.statuses, inherited.statuses),
				Inheritance.first(this.retryOn, inherited.retryOn),
				Inheritance.first(this.recheckAfter, inherited.recheckAfter),
				Inheritance.first(this.reopenRamp, inherited.reopenRamp),
				Inheritance.first(this.pauseLadder, inherited.pauseLadder));
	}

	/**
	 * A pause.
	 *
	 * @param after Number of consecutive bursts of refusals from which on it is due.
	 * @param pause Time for which the level stays closed.
	 * @param alert Whether somebody should know.
	 */
	record Rung(@Nullable Integer after, @Nullable Duration pause, @DefaultValue("false") boolean alert) {

	}

}
