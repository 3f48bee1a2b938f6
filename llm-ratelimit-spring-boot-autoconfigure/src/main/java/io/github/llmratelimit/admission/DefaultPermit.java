package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.Turn;
import io.github.llmratelimit.limit.Claim;
import org.jspecify.annotations.Nullable;

/**
 * A permit of a provider's queue. Thread-safe: whoever ends it first by compare-and-set
 * settles the claim.
 */
final class DefaultPermit implements Permit {

	private static final AtomicIntegerFieldUpdater<DefaultPermit> ENDED = AtomicIntegerFieldUpdater
		.newUpdater(DefaultPermit.class, "ended");

	private final ProviderQueue queue;

	private final Claim claim;

	private final long sequence;

	private final long waitedNanos;

	private final boolean probe;

	private volatile int ended;

	private boolean used;

	DefaultPermit(ProviderQueue queue, Claim claim, long sequence, long waitedNanos, boolean probe) {
		this.queue = queue;
		this.claim = claim;
		this.sequence = sequence;
		this.waitedNanos = waitedNanos;
		this.probe = probe;
	}

	@Override
	public LimitScope scope() {
		this.used = true;
		return this.claim.scope();
	}

	@Override
	public @Nullable String key() {
		this.used = true;
		return this.claim.key();
	}

	@Override
	public LlmCall call() {
		this.used = true;
		return this.claim.call();
	}

	@Override
	public Duration waited() {
		this.used = true;
		return Duration.ofNanos(this.waitedNanos);
	}

	@Override
	public boolean isProbe() {
		this.used = true;
		return this.probe;
	}

	@Override
	public void observe(ObservedLimits limits) {
		this.used = true;
		if (!limits.isEmpty() || this.queue.plan().learning() != null) {
			this.queue.observe(this.claim, limits);
		}
	}

	@Override
	public boolean complete(CallOutcome outcome, @Nullable TokenUsage usage) {
		if (!end()) {
			return false;
		}
		this.queue.ended(this, this.claim, outcome, usage);
		return true;
	}

	@Override
	public boolean refuse(ThrottleSignal signal, Cooldown cooldown) {
		if (!end()) {
			return false;
		}
		this.queue.refused(this, this.claim, signal, cooldown);
		return true;
	}

	@Override
	public @Nullable LlmCall again(Duration backoff) {
		LlmCall call = this.claim.call();
		Turn turn = call.turn();
		Duration before = (turn != null) ? turn.waited() : Duration.ZERO;
		Duration waited = before.plus(waited()).plus(backoff);
		return (waited.compareTo(this.queue.plan().queue().maxWaitOf(call)) < 0)
				? call.withTurn(new Turn(this.sequence, waited)) : null;
	}

	/** Its waiter has it from now on. */
	void handOver() {
		this.used = false;
	}

	/**
	 * End it because its waiter has cancelled while or after it was handed over. A waiter
	 * that has looked at it ends it itself; one that has not may have dropped it unseen.
	 */
	void abandon() {
		if (!this.used) {
			complete(CallOutcome.CANCELLED, null);
		}
	}

	/** End it as if it had never been granted: its waiter was gone. */
	void giveBack() {
		if (end()) {
			this.queue.givenBack(this.claim);
		}
	}

	private boolean end() {
		return ENDED.compareAndSet(this, 0, 1);
	}

}
