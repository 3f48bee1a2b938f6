package io.github.llmratelimit.admission;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import io.github.llmratelimit.Priority;
import org.jspecify.annotations.Nullable;

/**
 * Waiters by deadline. Those of one priority mostly wait equally long, so that they come
 * in the order of their deadlines and form a list; the others are in a binary heap. Every
 * waiter knows its position and leaves without a search. Not thread-safe: it belongs to
 * the drain.
 */
final class Deadlines {

	/** Position of a waiter that the drain has not seen yet. */
	static final int NEVER_IN = -1;

	/** Position of a waiter that has left, or has been cancelled before it came in. */
	static final int LEFT = -2;

	/* Position of a waiter in the list of its priority. */
	private static final int IN_LIST = -3;

	private final Map<Priority, InOrder> lists = new EnumMap<>(Priority.class);

	private @Nullable Waiter[] heap = new @Nullable Waiter[16];

	private int size;

	Deadlines() {
		for (Priority priority : Priority.values()) {
			this.lists.put(priority, new InOrder());
		}
	}

	@Nullable Waiter earliest() {
		Waiter earliest = this.heap[0];
		for (InOrder list : this.lists.values()) {
			Waiter first = list.first;
			if (first != null && (earliest == null || first.deadline() < earliest.deadline())) {
				earliest = first;
			}
		}
		return earliest;
	}

	void add(Waiter waiter) {
		InOrder list = listOf(waiter);
		if (list.isInOrder(waiter)) {
			waiter.deadlinePosition = IN_LIST;
			list.append(waiter);
		}
		else {
			addToHeap(waiter);
		}
	}

	void remove(Waiter waiter) {
		int position = waiter.deadlinePosition;
		waiter.deadlinePosition = LEFT;
		if (position == IN_LIST) {
			listOf(waiter).remove(waiter);
		}
		else {
			removeFromHeap(waiter, position);
		}
	}

	private InOrder listOf(Waiter waiter) {
		return Objects.requireNonNull(this.lists.get(waiter.call().priority()));
	}

	private void addToHeap(Waiter waiter) {
		if (this.size == this.heap.length) {
			this.heap = Arrays.copyOf(this.heap, this.size * 2);
		}
		up(waiter, this.size++);
	}

	private void removeFromHeap(Waiter waiter, int position) {
		Waiter last = at(--this.size);
		this.heap[this.size] = null;
		if (last != waiter) {
			up(last, position);
			down(last, last.deadlinePosition);
		}
		shrink();
	}

	private void up(Waiter waiter, int from) {
		int position = from;
		while (position > 0) {
			int parent = (position - 1) >>> 1;
			if (at(parent).deadline() <= waiter.deadline()) {
				break;
			}
			put(at(parent), position);
			position = parent;
		}
		put(waiter, position);
	}

	private void down(Waiter waiter, int from) {
		int position = from;
		int child = earlierChild(position);
		while (child < this.size && at(child).deadline() < waiter.deadline()) {
			put(at(child), position);
			position = child;
			child = earlierChild(position);
		}
		put(waiter, position);
	}

	private int earlierChild(int position) {
		int left = 2 * position + 1;
		int right = left + 1;
		return (right < this.size && at(right).deadline() < at(left).deadline()) ? right : left;
	}

	private void put(Waiter waiter, int position) {
		this.heap[position] = waiter;
		waiter.deadlinePosition = position;
	}

	@SuppressWarnings("NullAway") // every position below the size is filled
	private Waiter at(int position) {
		return this.heap[position];
	}

	private void shrink() {
		if (this.heap.length > 16 && this.size <= this.heap.length / 4) {
			this.heap = Arrays.copyOf(this.heap, this.heap.length / 2);
		}
	}

	/**
	 * Waiters whose deadlines never fall, linked through themselves.
	 */
	private static final class InOrder {

		private @Nullable Waiter first;

		private @Nullable Waiter last;

		boolean isInOrder(Waiter waiter) {
			return this.last == null || this.last.deadline() <= waiter.deadline();
		}

		void append(Waiter waiter) {
			link(this.last, waiter);
			link(waiter, null);
		}

		void remove(Waiter waiter) {
			link(waiter.earlier, waiter.later);
			waiter.earlier = null;
			waiter.later = null;
		}

		private void link(@Nullable Waiter earlier, @Nullable Waiter later) {
			if (earlier != null) {
				earlier.later = later;
			}
			else {
				this.first = later;
			}
			if (later != null) {
				later.earlier = earlier;
			}
			else {
				this.last = earlier;
			}
		}

	}

}
