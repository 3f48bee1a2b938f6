package io.github.llmratelimit.limit;

import java.util.Arrays;

/**
 * Amounts with the moment each was taken, oldest first: a ring that grows on demand. Not
 * thread-safe.
 * <p>
 * Up to {@value #EXACT} entries a window each amount keeps its own moment. Above that,
 * amounts taken within one slice of the window share the moment of the last of them, so
 * that they leave at most one slice late and never early.
 */
final class TimedAmounts {

	static final int EXACT = 4096;

	private final int exact;

	private final long sliceNanos;

	private long[] times = new long[16];

	private long[] amounts = new long[16];

	private int head;

	private int size;

	private long newestSince;

	/**
	 * Create an empty ring.
	 * @param windowNanos length of the window that is cut into {@value #EXACT} slices
	 * @param windows number of windows for which amounts are kept
	 */
	TimedAmounts(long windowNanos, int windows) {
		this.exact = windows * EXACT;
		this.sliceNanos = windowNanos / EXACT;
	}

	void add(long amount, long now) {
		if (this.size >= this.exact && now - this.newestSince < this.sliceNanos) {
			int newest = index(this.size - 1);
			this.times[newest] = now;
			this.amounts[newest] += amount;
			return;
		}
		if (this.size == this.times.length) {
			grow();
		}
		int next = index(this.size++);
		this.times[next] = now;
		this.amounts[next] = amount;
		this.newestSince = now;
	}

	/**
	 * Change an amount that was taken before.
	 * @param delta what to add to it
	 * @param takenAt the moment at which it was taken
	 * @return false if it is no longer here
	 */
	boolean correct(long delta, long takenAt) {
		int position = isNewest(takenAt) ? this.size - 1 : firstAtOrAfter(takenAt);
		if (position == this.size || takenAt < timeAt(0) - this.sliceNanos) {
			return false;
		}
		this.amounts[index(position)] += delta;
		return true;
	}

	int size() {
		return this.size;
	}

	long timeAt(int position) {
		return this.times[index(position)];
	}

	long amountAt(int position) {
		return this.amounts[index(position)];
	}

	/** Whether the next amount may need more room. */
	boolean isFull() {
		return this.size == this.times.length;
	}

	private boolean isNewest(long takenAt) {
		return this.size > 1 && timeAt(this.size - 2) < takenAt;
	}

	/**
	 * Forget what was taken long ago.
	 * @param time the last moment that is forgotten
	 */
	void removeUntil(long time) {
		while (this.size > 0 && timeAt(0) <= time) {
			this.head = index(1);
			this.size--;
		}
	}

	/**
	 * The sum of all amounts taken after one moment and not after another.
	 * @param from exclusive
	 * @param to inclusive
	 * @return the sum
	 */
	long sum(long from, long to) {
		long sum = 0;
		int end = firstAtOrAfter(to + 1);
		for (int position = firstAtOrAfter(from + 1); position < end; position++) {
			sum += amountAt(position);
		}
		return sum;
	}

	/**
	 * Position of the first entry at or after a moment.
	 * @param time the moment
	 * @return the position, the size if there is none
	 */
	int firstAtOrAfter(long time) {
		int low = 0;
		int high = this.size;
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (timeAt(middle) < time) {
				low = middle + 1;
			}
			else {
				high = middle;
			}
		}
		return low;
	}

	private int index(int position) {
		return (this.head + position) & (this.times.length - 1);
	}

	private void grow() {
		this.times = unrolled(this.times);
		this.amounts = unrolled(this.amounts);
		this.head = 0;
	}

	private long[] unrolled(long[] ring) {
		long[] grown = Arrays.copyOf(ring, ring.length * 2);
		int tail = ring.length - this.head;
		System.arraycopy(ring, this.head, grown, 0, tail);
		System.arraycopy(ring, 0, grown, tail, this.head);
		return grown;
	}

}
