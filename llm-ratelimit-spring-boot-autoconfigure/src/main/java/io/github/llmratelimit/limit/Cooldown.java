package io.github.llmratelimit.limit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A moment before which nobody goes. It only ever moves later. Not thread-safe.
 */
final class Cooldown {

	/** Providers state moments as far away as they like. */
	private static final Duration LONGEST = Duration.ofDays(365);

	private long until = Long.MIN_VALUE;

	private @Nullable String cause;

	void close(Duration cooldown, @Nullable String cause, long now) {
		long nanos = ((cooldown.compareTo(LONGEST) < 0) ? cooldown : LONGEST).toNanos();
		if (now + nanos > this.until) {
			this.until = now + nanos;
			this.cause = cause;
		}
	}

	long nanosLeft(long now) {
		return (this.until > now) ? this.until - now : 0;
	}

	@Nullable String cause() {
		return this.cause;
	}

}
