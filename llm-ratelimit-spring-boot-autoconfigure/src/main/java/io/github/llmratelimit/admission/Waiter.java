package io.github.llmratelimit.admission;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;

import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;

/**
 * One subscriber that wants a permit. Its state is decided by compare-and-set, and
 * whoever loses gives back what was meant for it; its place in the queue belongs to the
 * drain.
 */
final class Waiter implements Subscription, Runnable {

	private static final int IDLE = 0;

	/* Asked for, not yet in the queue. */
	private static final int ASKING = 1;

	private static final int QUEUED = 2;

	/* An answer is there, but not yet delivered. */
	private static final int CHOSEN = 3;

	/* The subscriber has the permit, but may drop it unseen if it cancels just now. */
	private static final int DELIVERED = 4;

	private static final int DONE = 5;

	private static final AtomicIntegerFieldUpdater<Waiter> STATE = AtomicIntegerFieldUpdater.newUpdater(Waiter.class,
			"state");

	private final ProviderQueue queue;

	private final CoreSubscriber<? super Permit> actual;

	/* As it was asked for; the claim's own call may reserve less. */
	private final LlmCall call;

	private final long maxWaitNanos;

	/* Only while the store is asked: most waiters wait behind others. */
	private @Nullable Claim claim;

	private volatile int state;

	/* Either the permit that is to be delivered or the error. */
	private @Nullable Object answer;

	private @Nullable Thread deliveredBy;

	private long enteredAt;

	private long sequence;

	/* The links below are read and written by the drain only. */
	@Nullable SubQueue line;

	@Nullable Waiter previous;

	@Nullable Waiter next;

	@Nullable Waiter earlier;

	@Nullable Waiter later;

	int deadlinePosition = Deadlines.NEVER_IN;

	Waiter(ProviderQueue queue, CoreSubscriber<? super Permit> actual, LlmCall call, long maxWaitNanos) {
		this.queue = queue;
		this.actual = actual;
		this.call = call;
		this.maxWaitNanos = maxWaitNanos;
	}

	@Override
	public void request(long n) {
		if (Operators.validate(n) && STATE.compareAndSet(this, IDLE, ASKING)) {
			this.queue.enter(this);
		}
	}

	/*
	 * Operators cancel while they are handed a value if they want no other; that is the
	 * subscriber's thanks for the permit and no farewell to it.
	 */
	@Override
	public void cancel() {
		if (this.deliveredBy == Thread.currentThread()) {
			return;
		}
		switch (STATE.getAndSet(this, DONE)) {
			case QUEUED -> this.queue.leave(this);
			case CHOSEN -> permit(DefaultPermit::giveBack);
			case DELIVERED -> permit(DefaultPermit::abandon);
			default -> {
			}
		}
	}

	private void permit(Consumer<DefaultPermit> action) {
		if (this.answer instanceof DefaultPermit permit) {
			action.accept(permit);
		}
	}

	/**
	 * Go from asking to waiting in line.
	 * @param now the current time
	 * @param sequence the place in line
	 * @return false if it was cancelled before
	 */
	boolean queueUp(long now, long sequence) {
		this.claim = null;
		this.enteredAt = now;
		takePlace(sequence);
		return STATE.compareAndSet(this, ASKING, QUEUED);
	}

	void takePlace(long sequence) {
		this.sequence = sequence;
	}

	/**
	 * A permit for what the store has granted.
	 * @param waitedNanos how long it was waited for
	 * @param verdict the verdict that granted it
	 * @return the permit
	 */
	DefaultPermit permit(long waitedNanos, Verdict verdict) {
		return new DefaultPermit(this.queue, claim(), this.sequence, waitedNanos, verdict.kind() == Verdict.Kind.PROBE);
	}

	/**
	 * Choose the waiter for an answer, which {@link #run} hands over.
	 * @param answer a permit or an exception
	 * @return false if it was cancelled or chosen before
	 */
	boolean choose(Object answer) {
		int before = this.state;
		if (before != ASKING && before != QUEUED) {
			return false;
		}
		this.answer = answer;
		return STATE.compareAndSet(this, before, CHOSEN);
	}

	/*
	 * After the drain, outside its turn. A subscriber that throws breaks its own call
	 * only.
	 */
	@Override
	public void run() {
		try {
			deliver();
		}
		catch (Throwable ex) {
			Exceptions.throwIfJvmFatal(ex);
			Operators.onErrorDropped(ex, this.actual.currentContext());
		}
	}

	void deliver() {
		this.deliveredBy = Thread.currentThread();
		try {
			if (STATE.compareAndSet(this, CHOSEN, DELIVERED)) {
				handOver();
			}
		}
		finally {
			this.deliveredBy = null;
		}
	}

	private void handOver() {
		if (this.answer instanceof DefaultPermit permit) {
			this.queue.admitted(permit);
			permit.handOver();
			this.actual.onNext(permit);
			this.actual.onComplete();
		}
		else if (this.answer instanceof LlmRateLimitException exception) {
			this.queue.rejected(this.call, exception);
			this.actual.onError(exception);
		}
	}

	boolean isQueued() {
		return this.state == QUEUED;
	}

	LlmCall call() {
		return this.call;
	}

	/* What the provider may give back later is not sure to be used. */
	TokenEstimate leastTokens() {
		TokenEstimate tokens = this.call.tokens();
		return (tokens.outputIsGuess() || this.queue.plan().givesBack()) ? tokens.withOutput(0) : tokens;
	}

	/** Its scope; those that wait in one line share it. */
	LimitScope scope() {
		return (this.line != null) ? this.line.scope() : this.queue.scopeOf(this.call);
	}

	/** What it asks the store for, the same each time. */
	Claim claim() {
		Claim claim = this.claim;
		if (claim == null) {
			claim = new Claim(this.call, scope());
			this.claim = claim;
		}
		return claim;
	}

	long sequence() {
		return this.sequence;
	}

	long deadline() {
		return this.enteredAt + this.maxWaitNanos;
	}

	long waitedNanos(long now) {
		return now - this.enteredAt;
	}

	long maxWaitNanos() {
		return this.maxWaitNanos;
	}

	/** Whether the drain has seen it before. */
	boolean isTakenIn() {
		return this.deadlinePosition != Deadlines.NEVER_IN;
	}

	boolean isInLine() {
		return this.line != null;
	}

}
