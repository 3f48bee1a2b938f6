package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.util.Set;

import io.github.llmratelimit.retry.Backoff.Jitter;
import io.github.llmratelimit.retry.Backoff.Strategy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What happens after a refusal.
 *
 * @param maxAttempts Number of attempts of a call, the first included.
 * @param strategy How the wait grows from attempt to attempt.
 * @param baseDelay Wait before the second attempt, where the provider names none.
 * @param multiplier Factor by which an exponential wait grows.
 * @param maxDelay Longest step of the wait.
 * @param jitter How the wait is spread, always on top of its floor.
 * @param statuses Statuses that mean throttling, besides those of the dialect.
 */
record BackoffProperties(@Nullable Integer maxAttempts, @Nullable Strategy strategy, @Nullable Duration baseDelay,
		@Nullable Double multiplier, @Nullable Duration maxDelay, @Nullable Jitter jitter,
		@DefaultValue Set<Integer> statuses) {

	BackoffProperties or(BackoffProperties inherited) {
		return new BackoffProperties(Inheritance.first(this.maxAttempts, inherited.maxAttempts),
				Inheritance.first(this.strategy, inherited.strategy),
				Inheritance.first(this.baseDelay, inherited.baseDelay),
				Inheritance.first(this.multiplier, inherited.multiplier),
				Inheritance.first(this.maxDelay, inherited.maxDelay), Inheritance.first(this.jitter, inherited.jitter),
				Inheritance.first(this.statuses, inherited.statuses));
	}

}
