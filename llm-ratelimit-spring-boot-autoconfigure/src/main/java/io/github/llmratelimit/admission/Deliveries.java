package io.github.llmratelimit.admission;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;

/**
 * Hands answers to their waiters after the drain, outside its turn, so that a slow
 * subscriber holds up neither the queue nor its timer. What a delivery causes on the same
 * thread is delivered after it, not inside it: a thousand calls that end at once do not
 * nest a thousand times.
 */
final class Deliveries {

	private static final ThreadLocal<@Nullable Queue<Waiter>> RUNNING = new ThreadLocal<>();

	private Deliveries() {
	}

	static void run(Queue<Waiter> waiters) {
		Queue<Waiter> running = RUNNING.get();
		if (running != null) {
			running.addAll(waiters);
			return;
		}
		Queue<Waiter> all = new ArrayDeque<>(waiters);
		RUNNING.set(all);
		try {
			deliver(all);
		}
		finally {
			RUNNING.remove();
		}
	}

	/**
	 * This thread is about to wait, perhaps inside a delivery: what it has still to
	 * deliver, another one must.
	 * @param others delivers instead
	 */
	static void leaveTo(Executor others) {
		Queue<Waiter> running = RUNNING.get();
		if (running == null) {
			return;
		}
		RUNNING.remove();
		if (!running.isEmpty()) {
			Queue<Waiter> left = new ArrayDeque<>(running);
			running.clear();
			others.execute(() -> run(left));
		}
	}

	private static void deliver(Queue<Waiter> waiters) {
		Waiter waiter = waiters.poll();
		while (waiter != null) {
			deliver(waiter);
			waiter = waiters.poll();
		}
	}

	/* A subscriber that throws breaks its own call only. */
	private static void deliver(Waiter waiter) {
		try {
			waiter.deliver();
		}
		catch (Throwable ex) {
			Exceptions.throwIfJvmFatal(ex);
			Operators.onErrorDropped(ex, waiter.context());
		}
	}

}
