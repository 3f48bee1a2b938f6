package io.github.llmratelimit.benchmarks.acquire;

import java.time.Duration;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Two limiters of Resilience4j, one after the other: what one has granted is lost when
 * the other refuses.
 */
@State(Scope.Benchmark)
public class Resilience4j {

	private static final RateLimiterConfig CONFIG = RateLimiterConfig.custom()
		.limitForPeriod(Integer.MAX_VALUE / 2)
		.limitRefreshPeriod(Duration.ofMillis(10))
		.timeoutDuration(Duration.ZERO)
		.build();

	private final RateLimiter requests = RateLimiter.of("requests", CONFIG);

	private final RateLimiter tokens = RateLimiter.of("tokens", CONFIG);

	/**
	 * One request and its tokens.
	 * @return how long to wait
	 */
	@Benchmark
	public long twoInSequence() {
		long nanos = this.requests.reservePermission(1) + this.tokens.reservePermission(Ours.TOKENS);
		if (nanos != 0) {
			throw new IllegalStateException("refused: " + nanos);
		}
		return nanos;
	}

}
