package io.github.llmratelimit.retry;

import java.time.Duration;

import io.github.llmratelimit.ThrottleSignal;
import org.jspecify.annotations.Nullable;

/**
 * A refusal as Resilience4j sees it. Holds no stack trace.
 */
@SuppressWarnings("serial")
final class RefusedAttempt extends RuntimeException {

	private final @Nullable Duration backoff;

	RefusedAttempt(ThrottleSignal signal, @Nullable Duration backoff) {
		super(signal.describe(), null, false, false);
		this.backoff = backoff;
	}

	/** How long to wait, rounded up; -1 if the call is not sent again. */
	long intervalMillis() {
		return (this.backoff != null) ? this.backoff.plusNanos(999_999).toMillis() : -1;
	}

}
