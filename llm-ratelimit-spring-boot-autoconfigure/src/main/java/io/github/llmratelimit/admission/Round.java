package io.github.llmratelimit.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

import io.github.llmratelimit.Priority;
import org.jspecify.annotations.Nullable;

/**
 * The waiting calls that the store is asked for next, in the order in which they should
 * go. In front of each stand those that have been refused and wait for something which it
 * would take, so that this is kept from it. Not thread-safe: it belongs to the drain.
 */
final class Round {

	private final WaitingQueue queue;

	private final Shares shares;

	private final List<Waiter> batch = new ArrayList<>();

	private final Map<Priority, Cursor> cursors = new EnumMap<>(Priority.class);

	private final List<Waiter> gone = new ArrayList<>(0);

	private Round(WaitingQueue queue, Shares shares) {
		this.queue = queue;
		this.shares = shares;
		for (Priority priority : Priority.values()) {
			Set<SubQueue> lines = queue.open(priority);
			if (!lines.isEmpty()) {
				this.cursors.put(priority, new Cursor(lines));
			}
		}
	}

	/**
	 * Choose waiters.
	 * @param queue what waits
	 * @param shares in which order the classes go
	 * @param most how many of those that are not held are chosen at most
	 * @param now the current time
	 * @return waiters in order, empty if all are held
	 */
	static List<Waiter> next(WaitingQueue queue, Shares shares, int most, long now) {
		while (true) {
			Round round = new Round(queue, shares);
			round.choose(most, now);
			round.gone.forEach(queue::remove);
			if (!round.batch.isEmpty() || round.gone.isEmpty()) {
				return round.batch;
			}
		}
	}

	private void choose(int most, long now) {
		this.shares.plan(now);
		boolean more = true;
		for (int i = 0; i < most && more; i++) {
			more = choose(this.shares.order());
		}
	}

	private boolean choose(List<Priority> order) {
		for (Priority priority : order) {
			Waiter waiter = next(priority);
			if (waiter != null) {
				addHeldBefore(waiter, order);
				add(waiter);
				this.shares.planned(waiter);
				return true;
			}
		}
		return false;
	}

	private @Nullable Waiter next(Priority priority) {
		Cursor cursor = this.cursors.get(priority);
		return (cursor != null) ? cursor.next() : null;
	}

	private void addHeldBefore(Waiter waiter, List<Priority> order) {
		List<Waiter> held = this.queue.heldBeside(waiter);
		if (held.isEmpty()) {
			return;
		}
		Comparator<Waiter> inOrder = Comparator.<Waiter>comparingInt((other) -> order.indexOf(other.call().priority()))
			.thenComparingLong(Waiter::sequence);
		held.sort(inOrder);
		for (Waiter other : held) {
			if (inOrder.compare(other, waiter) < 0 && !this.batch.contains(other)) {
				add(other);
			}
		}
	}

	private void add(Waiter waiter) {
		boolean lower = waiter.call().priority() != Priority.INTERACTIVE;
		waiter.claim().favor(lower && this.shares.areLowBelowTheirs());
		this.batch.add(waiter);
	}

	/**
	 * The waiters of one priority by arrival, whatever their sub-queue.
	 */
	private final class Cursor {

		private static final Comparator<Waiter> BY_ARRIVAL = Comparator.comparingLong(Waiter::sequence);

		private final Iterator<SubQueue> lines;

		private final PriorityQueue<Waiter> next = new PriorityQueue<>(BY_ARRIVAL);

		private @Nullable SubQueue line;

		Cursor(Iterable<SubQueue> lines) {
			this.lines = lines.iterator();
		}

		/** The next one that still waits. */
		@Nullable Waiter next() {
			Waiter waiter = advance();
			while (waiter != null && !waiter.isQueued()) {
				Round.this.gone.add(waiter);
				waiter = advance();
			}
			return waiter;
		}

		private @Nullable Waiter advance() {
			if (this.line == null && this.lines.hasNext()) {
				this.line = this.lines.next();
			}
			Waiter waiter = this.next.peek();
			if (this.line != null && (waiter == null || this.line.head().sequence() < waiter.sequence())) {
				waiter = this.line.head();
				this.line = null;
			}
			else {
				this.next.poll();
			}
			if (waiter != null && waiter.next != null) {
				this.next.add(waiter.next);
			}
			return waiter;
		}

	}

}
