package io.github.llmratelimit.benchmarks.waiters;

import java.time.Duration;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.reactor.ratelimiter.operator.RateLimiterOperator;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * The Reactor operator of Resilience4j, with cycles of 10 ms.
 */
final class Resilience4j implements Contender {

	private static final Duration CYCLE = Duration.ofMillis(10);

	private final RateLimiter limiter;

	private int waiting;

	Resilience4j(int waiters, Duration begin, Duration within) {
		int perCycle = (int) Math.max(1, waiters / (within.toMillis() / CYCLE.toMillis()));
		this.limiter = RateLimiter.of("waiters",
				RateLimiterConfig.custom()
					.limitForPeriod(perCycle)
					.limitRefreshPeriod(CYCLE)
					.timeoutDuration(Duration.ofHours(1))
					.build());
		// What is reserved for the time until they begin
		for (long cycle = 0; cycle < begin.toMillis() / CYCLE.toMillis(); cycle++) {
			this.limiter.reservePermission(perCycle);
		}
	}

	@Override
	public Disposable wait(Runnable woken) {
		this.waiting++;
		return Mono.just(woken).transformDeferred(RateLimiterOperator.of(this.limiter)).subscribe(Runnable::run);
	}

	@Override
	public int timers() {
		return this.waiting;
	}

}
