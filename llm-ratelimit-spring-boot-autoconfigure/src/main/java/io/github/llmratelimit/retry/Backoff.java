package io.github.llmratelimit.retry;

import java.time.Duration;

/**
 * How a wait grows from attempt to attempt, and how it is spread.
 *
 * @param strategy whether it grows
 * @param baseDelay wait before the second attempt
 * @param multiplier what an exponential wait grows by with each attempt, at least 1
 * @param maxDelay longest step
 * @param jitter how the wait is spread over time
 */
public record Backoff(Strategy strategy, Duration baseDelay, double multiplier, Duration maxDelay, Jitter jitter) {

	/** One second, doubled each time up to a minute, fully spread. */
	public static final Backoff DEFAULT = new Backoff(Strategy.EXPONENTIAL, Duration.ofSeconds(1), 2,
			Duration.ofMinutes(1), Jitter.FULL);

	public Backoff {
		if (baseDelay.isNegative() || baseDelay.isZero()) {
			throw new IllegalArgumentException("base-delay: " + baseDelay + " (expected: > 0)");
		}
		if (!(multiplier >= 1)) {
			throw new IllegalArgumentException("multiplier: " + multiplier + " (expected: >= 1)");
		}
		if (maxDelay.compareTo(baseDelay) < 0) {
			throw new IllegalArgumentException(
					"max-delay: " + maxDelay + " (expected: >= base-delay " + baseDelay + ")");
		}
	}

	/**
	 * The step after an attempt.
	 * @param attempt number of the attempt that was refused, from 1
	 * @return the step, at most {@code maxDelay}
	 */
	public Duration step(int attempt) {
		if (this.strategy == Strategy.FIXED) {
			return this.baseDelay;
		}
		double nanos = this.baseDelay.toNanos() * Math.pow(this.multiplier, attempt - 1);
		return (nanos < this.maxDelay.toNanos()) ? Duration.ofNanos((long) nanos) : this.maxDelay;
	}

	/**
	 * A wait on top of a floor: never shorter than the floor.
	 * @param floor the least wait
	 * @param step the step that is spread
	 * @param random a number from 0 to below 1
	 * @return the wait
	 */
	public Duration spread(Duration floor, Duration step, double random) {
		return floor.plusNanos((long) (step.toNanos() * share(random)));
	}

	/**
	 * The part of a step that is waited on top of a floor.
	 * @param random a number from 0 to below 1
	 * @return 0 to 1
	 */
	public double share(double random) {
		return switch (this.jitter) {
			case NONE -> 0;
			case EQUAL -> 0.5 + random / 2;
			case FULL -> random;
		};
	}

	/**
	 * Whether the wait grows.
	 */
	public enum Strategy {

		/** The same each time. */
		FIXED,

		/** Multiplied each time. */
		EXPONENTIAL

	}

	/**
	 * How a wait is spread, always on top of its floor.
	 */
	public enum Jitter {

		/** Not at all. */
		NONE,

		/** By half a step to a whole one. */
		EQUAL,

		/** By nothing to a whole step. */
		FULL

	}

}
