package io.github.llmratelimit.admission;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.store.ProviderLimits;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.time.Trampoline;
import reactor.util.concurrent.Queues;

/**
 * Works off a provider's queue in turns: takes in who has come, lets go who may go,
 * rejects whose time is up, and sets the one timer. Thread-safe.
 * <p>
 * Any thread may cause a drain, one at a time runs it: the thread that moves
 * {@code workInProgress} from 0 works for all, the others only count up. Only the drain
 * touches the queue and the timer; arrivals and departures reach it through the inbox.
 * Answers are handed to their subscribers after the turn.
 */
final class Drain {

	private final AtomicInteger workInProgress = new AtomicInteger();

	private final Queue<Waiter> inbox = Queues.<Waiter>unboundedMultiproducer().get();

	private final TimeSource time;

	private final Rejections rejections;

	private final WaitingCount waiting;

	private final WaitingQueue queue;

	private final Inquiry inquiry;

	private final WakeUp wakeUp;

	Drain(ProviderPlan plan, ProviderLimits limits, TimeSource time, Rejections rejections, WaitingCount waiting) {
		this.time = time;
		this.rejections = rejections;
		this.waiting = waiting;
		this.queue = new WaitingQueue(plan.accounts().keySet(), waiting);
		this.inquiry = new Inquiry(limits, this.queue, new Shares(plan.queue().lowPriorityShare()), rejections,
				this::run);
		this.wakeUp = new WakeUp(time, this::run);
	}

	/** A waiter comes to enter, or once more because it was cancelled. */
	void offer(Waiter waiter) {
		this.inbox.offer(waiter);
		run();
	}

	/** Something was given back or corrected, which may let somebody go. */
	void released(LimitScope scope) {
		this.inquiry.released(scope);
		run();
	}

	private void run() {
		if (this.workInProgress.getAndIncrement() != 0) {
			return;
		}
		Queue<Waiter> answered = new ArrayDeque<>(0);
		int missed = 1;
		do {
			turn();
			this.queue.moveAnsweredTo(answered);
			missed = this.workInProgress.addAndGet(-missed);
		}
		while (missed != 0);
		if (!answered.isEmpty()) {
			Trampoline.run(answered);
		}
	}

	private void turn() {
		long now = this.time.nanoTime();
		takeIn(now);
		long nextAt = this.inquiry.admit(now);
		if (expire(now)) {
			nextAt = this.inquiry.admit(now);
		}
		Waiter earliest = this.queue.earliestDeadline();
		if (earliest != null) {
			this.wakeUp.at(Math.min(nextAt, earliest.deadline()), now);
		}
		else {
			this.wakeUp.cancel();
		}
	}

	private void takeIn(long now) {
		Waiter waiter = this.inbox.poll();
		while (waiter != null) {
			if (!waiter.isTakenIn()) {
				enterLine(waiter, now);
			}
			else if (waiter.isInLine()) {
				this.queue.remove(waiter);
			}
			waiter = this.inbox.poll();
		}
	}

	private void enterLine(Waiter waiter, long now) {
		if (waiter.isQueued()) {
			join(waiter, now);
		}
		else {
			waiter.deadlinePosition = Deadlines.LEFT;
			this.waiting.remove(waiter.call().priority());
		}
	}

	private void join(Waiter waiter, long now) {
		long atLeast = this.rejections.nanosToAdmit(waiter, this.queue);
		this.queue.add(waiter);
		if (atLeast > 0 && now + atLeast > waiter.deadline()) {
			this.queue.choose(waiter, this.rejections.waitTooLong(waiter, atLeast, null));
		}
	}

	/* Whoever leaves may have held up others. */
	private boolean expire(long now) {
		boolean any = false;
		Waiter waiter = this.queue.earliestDeadline();
		while (waiter != null && waiter.deadline() <= now) {
			any = true;
			this.queue.choose(waiter, this.rejections.waitTooLong(waiter, 0, null));
			waiter = this.queue.earliestDeadline();
		}
		return any;
	}

}
