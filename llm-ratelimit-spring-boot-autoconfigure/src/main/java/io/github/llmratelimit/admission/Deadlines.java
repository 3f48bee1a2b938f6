package io.github.llmratelimit.admission;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Waiters by deadline: a binary heap in which every waiter knows its position, so that it
 * leaves without a search. Not thread-safe: it belongs to the drain.
 */
final class Deadlines {

	/** Position of a waiter that the drain has not seen yet. */
	static final int NEVER_IN = -1;

	/** Position of a waiter that has left, or has been cancelled before it came in. */
	static final int LEFT = -2;

	private @Nullable Waiter[] heap = new @Nullable Waiter[16];

	private int size;

	@Nullable Waiter earliest() {
		return this.heap[0];
	}

	void add(Waiter waiter) {
		if (this.size == this.heap.length) {
			this.heap = Arrays.copyOf(this.heap, this.size * 2);
		}
		up(waiter, this.size++);
	}

	void remove(Waiter waiter) {
		int position = waiter.deadlinePosition;
		waiter.deadlinePosition = LEFT;
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

}
