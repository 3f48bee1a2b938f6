package io.github.llmratelimit;

import java.time.Duration;
import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * Told what happens to calls. Called on the thread on which it happens, never under a
 * lock; implementations MUST be thread-safe and MUST NOT block. An exception thrown by a
 * listener is logged and does not touch the call.
 */
public interface RateLimitListener {

	/**
	 * A call was admitted.
	 * @param permit its permit
	 */
	default void onAdmitted(Permit permit) {
	}

	/**
	 * A call was not admitted.
	 * @param call the call
	 * @param exception why
	 */
	default void onRejected(LlmCall call, LlmRateLimitException exception) {
	}

	/**
	 * A permit has ended.
	 * @param permit the permit
	 * @param outcome how the call ended
	 * @param usage tokens really used, {@code null} if unknown
	 */
	default void onCompleted(Permit permit, CallOutcome outcome, @Nullable TokenUsage usage) {
	}

	/**
	 * The provider has refused a call. Follows {@link #onCompleted}.
	 * @param permit the permit of the call
	 * @param signal what the refusal means
	 * @param cooldown how long the level is closed, zero if it stays open
	 */
	default void onThrottled(Permit permit, ThrottleSignal signal, Duration cooldown) {
	}

	/**
	 * The provider has announced a limit that was not known before.
	 * @param learned the limit
	 */
	default void onLimitLearned(LearnedLimit learned) {
	}

	/**
	 * The level of a model that nobody calls any more has made room for another.
	 * @param evicted the level
	 */
	default void onLevelEvicted(EvictedLevel evicted) {
	}

	/**
	 * A level was closed, or is open again.
	 * @param change what has changed
	 */
	default void onLevelChanged(LevelChange change) {
	}

	/**
	 * A refused call will be sent again.
	 * @param permit the permit that has ended
	 * @param attempt number of the next attempt; probes and rejected keys do not count
	 * @param backoff how long the call waits before it gets in line again
	 */
	default void onRetry(Permit permit, int attempt, Duration backoff) {
	}

	/**
	 * A fallback has answered a call in place of its provider.
	 * @param call the call
	 * @param refusal why it was refused
	 */
	default void onFallback(LlmCall call, LlmRateLimitException refusal) {
	}

	/**
	 * Several listeners as one, which keeps their failures from the call and from each
	 * other.
	 * @param listeners the listeners, told in this order
	 * @return a listener that never throws
	 */
	static RateLimitListener allOf(Collection<? extends RateLimitListener> listeners) {
		return new GuardedListeners(listeners);
	}

}
