package io.github.llmratelimit.retry;

import java.time.Duration;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.ThrottleSignal;
import io.github.resilience4j.retry.Retry;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call. Confined to that call, whose attempts come one after the
 * other.
 */
public final class Attempts {

	private final RetryPolicy policy;

	private final Retry.AsyncContext<Object> context;

	private int current = 1;

	private boolean keyRejected;

	Attempts(RetryPolicy policy, Retry.AsyncContext<Object> context) {
		this.policy = policy;
		this.context = context;
	}

	/**
	 * The number of the current attempt.
	 * @return 1 or more
	 */
	public int current() {
		return this.current;
	}

	/**
	 * Decide what follows from the answer to the current attempt. What the refusal of a
	 * probe says is only that the level is still closed; and a key of the pool that is
	 * not accepted is replaced once.
	 * @param signal what the answer means
	 * @param status its HTTP status, 0 if there was none
	 * @param probe whether the call was a probe
	 * @return the decision
	 */
	public RetryDecision decide(ThrottleSignal signal, int status, boolean probe) {
		if (signal.outcome() == CallOutcome.KEY_REJECTED) {
			boolean first = !this.keyRejected && this.policy.maxAttempts() > 1;
			return new RetryDecision(first, Cooldown.NONE, Duration.ZERO);
		}
		int counted = probe ? Math.min(this.current, this.policy.maxAttempts() - 1) : this.current;
		return this.policy.decide(signal, status, Math.max(1, counted));
	}

	/**
	 * The current attempt has failed.
	 * @param signal what its answer means
	 * @param backoff how long to wait before the next one, {@code null} if there is none
	 * @param probe whether it was a probe, which is no attempt of its call; neither is
	 * one whose key was not accepted
	 * @return the wait, {@code null} if the call is not sent again
	 */
	public @Nullable Duration failed(ThrottleSignal signal, @Nullable Duration backoff, boolean probe) {
		if (this.context.onError(new RefusedAttempt(signal, backoff)) < 0) {
			return null;
		}
		boolean keyRejected = signal.outcome() == CallOutcome.KEY_REJECTED;
		this.keyRejected |= keyRejected;
		this.current += (keyRejected || probe) ? 0 : 1;
		return backoff;
	}

	/** The current attempt was accepted. */
	public void succeeded() {
		this.context.onComplete();
	}

	/**
	 * Whether a call that was refused as often as it may be sent fails by an exception of
	 * ours.
	 * @return false if it ends with the provider's last response
	 */
	public boolean failsWhenExhausted() {
		return this.policy.failsWhenExhausted();
	}

}
