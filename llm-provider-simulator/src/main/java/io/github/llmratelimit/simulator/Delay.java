package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long something takes: a duration drawn uniformly between two bounds, which may be
 * equal. Immutable.
 *
 * @param min the shortest duration, not negative
 * @param max the longest duration, inclusive
 */
public record Delay(Duration min, Duration max) {

	public Delay {
		if (min.isNegative() || max.compareTo(min) < 0) {
			throw new IllegalArgumentException("delay: %s to %s (expected: 0 <= min <= max)".formatted(min, max));
		}
	}

	/** No delay at all. */
	public static Delay none() {
		return fixed(Duration.ZERO);
	}

	/** The same duration every time. */
	public static Delay fixed(Duration duration) {
		return new Delay(duration, duration);
	}

	/** Any duration between the two with the same probability. */
	public static Delay uniform(Duration min, Duration max) {
		return new Delay(min, max);
	}

	long drawNanos(RandomGenerator random) {
		long spread = this.max.minus(this.min).toNanos();
		return this.min.toNanos() + ((spread > 0) ? random.nextLong(spread + 1) : 0);
	}

}
