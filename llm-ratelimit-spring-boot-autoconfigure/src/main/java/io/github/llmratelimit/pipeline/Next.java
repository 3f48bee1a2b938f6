package io.github.llmratelimit.pipeline;

import java.time.Duration;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import org.jspecify.annotations.Nullable;

/**
 * What follows from an attempt that was not accepted.
 *
 * @param sent how often the call was sent until now
 * @param again the call that is sent again in its old place, {@code null} if it is not
 * @param pause how long it waits before it gets in line
 * @param refusal why it is not sent again, {@code null} if it is or if no limit is the
 * cause
 */
record Next(int sent, @Nullable LlmCall again, Duration pause, @Nullable LlmRateLimitException refusal) {

	static Next end(int sent, @Nullable LlmRateLimitException refusal) {
		return new Next(sent, null, Duration.ZERO, refusal);
	}

}
