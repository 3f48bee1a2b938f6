package io.github.llmratelimit.limit;

import java.time.Duration;
import java.time.Instant;

/**
 * What the wall clock showed at one moment of the monotonic clock, so that windows which
 * begin at a time of day can be computed from monotonic time alone.
 *
 * @param instant what the wall clock showed
 * @param nanos what the monotonic clock showed
 */
public record WallTime(Instant instant, long nanos) {

	Instant instantAt(long now) {
		return this.instant.plusNanos(now - this.nanos);
	}

	long nanosAt(Instant instant) {
		return this.nanos + Duration.between(this.instant, instant).toNanos();
	}

}
