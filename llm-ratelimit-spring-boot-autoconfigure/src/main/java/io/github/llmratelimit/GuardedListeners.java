package io.github.llmratelimit;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Tells several listeners, none of which can break a call or keep another from being
 * told. Thread-safe if they are.
 */
final class GuardedListeners implements RateLimitListener {

	private static final Logger logger = Loggers.getLogger(GuardedListeners.class);

	private final RateLimitListener[] listeners;

	GuardedListeners(Collection<? extends RateLimitListener> listeners) {
		this.listeners = listeners.toArray(RateLimitListener[]::new);
	}

	@Override
	public void onAdmitted(Permit permit) {
		tell((listener) -> listener.onAdmitted(permit));
	}

	@Override
	public void onRejected(LlmCall call, LlmRateLimitException exception) {
		tell((listener) -> listener.onRejected(call, exception));
	}

	@Override
	public void onCompleted(Permit permit, CallOutcome outcome, @Nullable TokenUsage usage) {
		tell((listener) -> listener.onCompleted(permit, outcome, usage));
	}

	@Override
	public void onThrottled(Permit permit, ThrottleSignal signal, Duration cooldown) {
		tell((listener) -> listener.onThrottled(permit, signal, cooldown));
	}

	@Override
	public void onLimitLearned(LearnedLimit learned) {
		tell((listener) -> listener.onLimitLearned(learned));
	}

	@Override
	public void onLevelEvicted(EvictedLevel evicted) {
		tell((listener) -> listener.onLevelEvicted(evicted));
	}

	@Override
	public void onLevelChanged(LevelChange change) {
		tell((listener) -> listener.onLevelChanged(change));
	}

	@Override
	public void onRetry(Permit permit, int attempt, Duration backoff) {
		tell((listener) -> listener.onRetry(permit, attempt, backoff));
	}

	@Override
	public void onFallback(LlmCall call, LlmRateLimitException refusal) {
		tell((listener) -> listener.onFallback(call, refusal));
	}

	private void tell(Consumer<RateLimitListener> event) {
		for (RateLimitListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (Exception ex) {
				logger.warn("Rate limit listener " + listener.getClass().getName() + " failed", ex);
			}
		}
	}

}
