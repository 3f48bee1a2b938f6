package io.github.llmratelimit.sample.explain;

import java.time.Duration;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What the library makes of a response.
 *
 * @param id which response
 * @param outcome how the call ended
 * @param category the same in the terms of whoever looks for the cause
 * @param retryable whether the call would be sent again, if only it may wait for an hour
 * @param waitMillis how long the provider says to wait, {@code null} if it does not
 * @param limit what the limit counts that was hit, {@code null} if none was
 * @param reason the provider's own words in short
 */
@JsonPropertyOrder({ "id", "outcome", "category", "retryable", "wait_ms", "limit", "reason" })
record Explanation(String id, CallOutcome outcome, String category, boolean retryable,
		@JsonProperty("wait_ms") @Nullable Long waitMillis, @Nullable String limit, @Nullable String reason) {

	private static final Duration LONGEST_WAIT = Duration.ofHours(1);

	private static final RetryPolicy POLICY = new RetryPolicy(2, Backoff.DEFAULT, () -> 0);

	static Explanation of(SavedResponse response) {
		ThrottleSignal signal = response.signal();
		return new Explanation(response.id(), signal.outcome(), category(signal), isRetryable(signal),
				millis(signal.hint()), limit(signal.tripped()), signal.reason());
	}

	private static String category(ThrottleSignal signal) {
		return switch (signal.outcome()) {
			case THROTTLED -> switch (signal.tripped()) {
				case CONCURRENCY -> "concurrency";
				case REQUESTS -> "rate_limit_requests";
				case TOKENS, INPUT_TOKENS, OUTPUT_TOKENS -> "rate_limit_tokens";
				case NONE, UNKNOWN -> "rate_limit_unknown";
			};
			case OVERLOADED -> "overloaded";
			case QUOTA_EXHAUSTED -> "quota_exhausted";
			case TOO_LARGE -> "request_too_large";
			case BANNED -> "banned";
			default -> "not_rate_limit";
		};
	}

	private static boolean isRetryable(ThrottleSignal signal) {
		Duration hint = signal.hint();
		return POLICY.decide(signal, 1).retry() && (hint == null || hint.compareTo(LONGEST_WAIT) <= 0);
	}

	private static @Nullable Long millis(@Nullable Duration hint) {
		return (hint != null) ? hint.plusNanos(999_999).toMillis() : null;
	}

	private static @Nullable String limit(Tripped tripped) {
		return (tripped != Tripped.NONE) ? tripped.name().toLowerCase(Locale.ROOT).replace('_', '-') : null;
	}

}
