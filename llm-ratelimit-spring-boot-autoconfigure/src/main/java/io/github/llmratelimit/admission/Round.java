package io.github.llmratelimit.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;

import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.Priority;
import org.jspecify.annotations.Nullable;

/**
 * One walk over the waiting calls in the order in which they should go. A scope whose
 * first call is refused is left out from then on, so that it holds up no other; but the
 * refused call is asked for again in front of those that follow, so that what it waits
 * for is kept from them. Not thread-safe: it belongs to the drain.
 */
final class Round {

	private static final int MOST_AT_ONCE = 64;

	private final WaitingQueue queue;

	private final Iterator<Priority> priorities = List.of(Priority.values()).iterator();

	private final PriorityQueue<Cursor> cursors = new PriorityQueue<>();

	private final Map<LimitScope, Waiter> blocked = new LinkedHashMap<>();

	private int batchSize;

	/**
	 * Start a walk.
	 * @param queue the waiting calls
	 * @param batchSize how many to ask for at first
	 */
	Round(WaitingQueue queue, int batchSize) {
		this.queue = queue;
		this.batchSize = Math.min(MOST_AT_ONCE, batchSize);
	}

	/**
	 * The next waiters to ask for, twice as many each time, so that a blocked queue costs
	 * one question and an open one few.
	 * @return waiters in order, empty at the end
	 */
	List<Waiter> next() {
		List<Waiter> batch = new ArrayList<>(this.blocked.size() + this.batchSize);
		for (Waiter waiter : this.blocked.values()) {
			if (waiter.isQueued()) {
				batch.add(waiter);
			}
		}
		boolean any = addUnasked(batch);
		this.batchSize = Math.min(MOST_AT_ONCE, this.batchSize * 2);
		return any ? batch : List.of();
	}

	private boolean addUnasked(List<Waiter> batch) {
		int before = batch.size();
		while (batch.size() < before + this.batchSize) {
			Waiter waiter = nextWaiter();
			if (waiter == null) {
				break;
			}
			batch.add(waiter);
		}
		return batch.size() > before;
	}

	/**
	 * Leave out the scope of a refused waiter.
	 * @param waiter the refused waiter
	 */
	void block(Waiter waiter) {
		this.blocked.putIfAbsent(waiter.claim().scope(), waiter);
	}

	private @Nullable Waiter nextWaiter() {
		while (true) {
			Cursor cursor = this.cursors.poll();
			if (cursor == null) {
				if (!openNextPriority()) {
					return null;
				}
			}
			else if (!this.blocked.containsKey(cursor.scope())) {
				Waiter waiter = cursor.advance();
				if (cursor.hasNext()) {
					this.cursors.add(cursor);
				}
				if (waiter.isQueued()) {
					return waiter;
				}
			}
		}
	}

	private boolean openNextPriority() {
		if (!this.priorities.hasNext()) {
			return false;
		}
		for (SubQueue line : this.queue.lines(this.priorities.next())) {
			this.cursors.add(new Cursor(line));
		}
		return true;
	}

	/**
	 * A place in one sub-queue.
	 */
	private static final class Cursor implements Comparable<Cursor> {

		private static final Comparator<Cursor> BY_ARRIVAL = Comparator
			.comparingLong((cursor) -> Objects.requireNonNull(cursor.waiter).sequence());

		private final LimitScope scope;

		private @Nullable Waiter waiter;

		Cursor(SubQueue line) {
			this.scope = line.scope();
			this.waiter = line.head();
		}

		LimitScope scope() {
			return this.scope;
		}

		boolean hasNext() {
			return this.waiter != null;
		}

		/* Moves on first: the waiter that is returned may leave its sub-queue. */
		Waiter advance() {
			Waiter current = Objects.requireNonNull(this.waiter);
			this.waiter = current.next;
			return current;
		}

		@Override
		public int compareTo(Cursor other) {
			return BY_ARRIVAL.compare(this, other);
		}

	}

}
