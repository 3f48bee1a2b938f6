package io.github.llmratelimit.sample.ways;

import java.util.concurrent.atomic.AtomicInteger;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Counts the calls that were sent within limits. Thread-safe.
 */
@Component
class CompletedCalls implements RateLimitListener {

	private final AtomicInteger sent = new AtomicInteger();

	/* What was never sent has been given back, for the call of a client inside. */
	@Override
	public void onCompleted(Permit permit, CallOutcome outcome, @Nullable TokenUsage usage) {
		if (outcome != CallOutcome.NOT_SENT) {
			this.sent.incrementAndGet();
		}
	}

	int sent() {
		return this.sent.get();
	}

}
