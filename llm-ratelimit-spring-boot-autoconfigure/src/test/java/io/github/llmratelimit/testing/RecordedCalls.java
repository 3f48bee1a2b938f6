package io.github.llmratelimit.testing;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

/**
 * Remembers permits and how they ended. Thread-safe.
 */
public final class RecordedCalls implements RateLimitListener {

	private final List<Permit> admitted = new CopyOnWriteArrayList<>();

	private final List<Completed> completed = new CopyOnWriteArrayList<>();

	private final List<Duration> retries = new CopyOnWriteArrayList<>();

	@Override
	public void onAdmitted(Permit permit) {
		this.admitted.add(permit);
	}

	@Override
	public void onCompleted(Permit permit, CallOutcome outcome, @Nullable TokenUsage usage) {
		this.completed.add(new Completed(outcome, usage));
	}

	@Override
	public void onRetry(Permit permit, int attempt, Duration backoff) {
		this.retries.add(backoff);
	}

	public List<Permit> admitted() {
		return this.admitted;
	}

	public List<Completed> completed() {
		return this.completed;
	}

	public List<Duration> retries() {
		return this.retries;
	}

	/**
	 * How a permit ended.
	 *
	 * @param outcome how the call ended
	 * @param usage tokens really used
	 */
	public record Completed(CallOutcome outcome, @Nullable TokenUsage usage) {

	}

}
