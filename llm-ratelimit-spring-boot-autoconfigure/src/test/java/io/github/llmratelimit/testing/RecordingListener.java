package io.github.llmratelimit.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what it is told, in words. Thread-safe.
 */
public final class RecordingListener implements RateLimitListener {

	private final List<String> events = Collections.synchronizedList(new ArrayList<>());

	@Override
	public void onAdmitted(Permit permit) {
		this.events.add("admitted");
	}

	@Override
	public void onRejected(LlmCall call, LlmRateLimitException exception) {
		this.events.add("rejected " + exception.reason());
	}

	@Override
	public void onCompleted(Permit permit, CallOutcome outcome, @Nullable TokenUsage usage) {
		this.events.add("completed " + outcome);
	}

	@Override
	public void onThrottled(Permit permit, ThrottleSignal signal, Duration cooldown) {
		this.events.add("throttled " + signal.tripped() + " " + cooldown);
	}

	@Override
	public void onRetry(Permit permit, int attempt, Duration backoff) {
		this.events.add("retry " + attempt + " " + backoff);
	}

	@Override
	public void onFallback(LlmCall call, LlmRateLimitException refusal) {
		this.events.add("fallback " + refusal.reason());
	}

	public List<String> events() {
		synchronized (this.events) {
			return List.copyOf(this.events);
		}
	}

}
