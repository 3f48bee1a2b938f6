package io.github.llmratelimit.benchmarks.refusals;

import java.time.Duration;
import java.util.List;

import io.github.llmratelimit.benchmarks.simulation.RetryStrategy;
import io.github.llmratelimit.benchmarks.simulation.StarterStrategy;
import io.github.llmratelimit.benchmarks.simulation.Strategy;

/**
 * A strategy in the closed loop.
 *
 * @param name what it is called
 * @param attempts most attempts of a call
 * @param strategy the strategy
 */
record Contender(String name, String attempts, Strategy strategy) {

	private static final int FEW = 4;

	private static final RetryStrategy FIXED = RetryStrategy.fixed(Duration.ofSeconds(1));

	private static final RetryStrategy EXPONENTIAL = RetryStrategy.exponential(Duration.ofMillis(100),
			Duration.ofSeconds(3));

	private static final RetryStrategy RETRY_AFTER = RetryStrategy.retryAfter();

	/** The starter, as it comes and with all of the limits. */
	static final List<Contender> STARTERS = List.of(starter("starter", StarterStrategy.DEFAULT),
			starter("starter, safety-margin 1.0", StarterStrategy.FULL));

	/** Exponential backoff with as many attempts as it takes. */
	static final List<Contender> EXPONENTIALS = List.of(unlimited("exponential", EXPONENTIAL),
			unlimited("exponential, full jitter", EXPONENTIAL.withFullJitter()));

	/** What else applications do. */
	static final List<Contender> OTHERS = List.of(unlimited("fixed 1 s", FIXED), unlimited("Retry-After", RETRY_AFTER),
			few("fixed 1 s", FIXED), few("exponential", EXPONENTIAL),
			few("exponential, full jitter", EXPONENTIAL.withFullJitter()), few("Retry-After", RETRY_AFTER));

	private static Contender starter(String name, Strategy strategy) {
		return new Contender(name, String.valueOf(FEW), strategy);
	}

	private static Contender unlimited(String name, RetryStrategy strategy) {
		return new Contender(name, "unlimited", strategy);
	}

	private static Contender few(String name, RetryStrategy strategy) {
		return new Contender(name, String.valueOf(FEW), strategy.withMaxAttempts(FEW));
	}

}
