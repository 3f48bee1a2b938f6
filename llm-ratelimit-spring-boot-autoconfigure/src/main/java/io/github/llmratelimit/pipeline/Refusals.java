package io.github.llmratelimit.pipeline;

import java.time.Duration;

import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.ThrottleSignal;
import org.jspecify.annotations.Nullable;

/**
 * Refusals by a provider that end a call, in words of ours.
 */
final class Refusals {

	private Refusals() {
	}

	/**
	 * A refusal that is not followed by another attempt.
	 * @param provider name of the provider
	 * @param signal what it means
	 * @param wait the wait for which the call has no time, {@code null} if it is not that
	 * @param attempts how often the call was sent
	 * @return the exception, {@code null} if no limit is the cause
	 */
	static @Nullable LlmRateLimitException of(String provider, ThrottleSignal signal, @Nullable Duration wait,
			int attempts) {
		Reason reason = reasonOf(signal, wait != null);
		if (reason == null) {
			return null;
		}
		return new LlmRateLimitException(reason, provider,
				"%s: the call was refused because of %s; attempts: %d%s".formatted(provider, signal.describe(),
						attempts, (wait != null) ? "; it may not wait long enough for another" : ""),
				(signal.hint() != null) ? signal.hint() : wait, attempts);
	}

	private static @Nullable Reason reasonOf(ThrottleSignal signal, boolean outOfTime) {
		return switch (signal.outcome()) {
			case THROTTLED, OVERLOADED -> outOfTime ? Reason.WAIT_TOO_LONG : Reason.RETRIES_EXHAUSTED;
			case QUOTA_EXHAUSTED -> Reason.QUOTA_EXHAUSTED;
			case BANNED -> Reason.BANNED;
			case TOO_LARGE -> Reason.NEVER_FITS;
			default -> null;
		};
	}

}
