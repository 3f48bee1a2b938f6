package io.github.llmratelimit.simulator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * A limit on arrivals within any time of a given length. Not thread-safe. An arrival at
 * {@code t} counts until just before {@code t + length}.
 */
final class ArrivalWindow {

	private final long lengthNanos;

	private final Deque<Long> arrivals = new ArrayDeque<>();

	private int limit;

	private int remembered;

	ArrivalWindow(int limit, long lengthNanos) {
		this.lengthNanos = lengthNanos;
		changeLimit(limit);
	}

	// A raised limit must still see the arrivals that a lowered one would have forgotten.
	void changeLimit(int limit) {
		this.limit = limit;
		this.remembered = Math.max(this.remembered, limit);
	}

	int limit() {
		return this.limit;
	}

	int used(long now) {
		forgetBefore(now);
		return this.arrivals.size();
	}

	/** How long from now until one more arrival fits; 0 if it does now. */
	long waitNanos(long now) {
		forgetBefore(now);
		int tooMany = this.arrivals.size() - this.limit + 1;
		return (tooMany > 0) ? arrival(tooMany) + this.lengthNanos - now : 0;
	}

	/** How long from now until no arrival counts any more. */
	long resetNanos(long now) {
		forgetBefore(now);
		Long last = this.arrivals.peekLast();
		return (last != null) ? last + this.lengthNanos - now : 0;
	}

	/** Counts an arrival, even above the limit; the last ones decide. */
	void add(long now) {
		if (this.arrivals.size() == this.remembered) {
			this.arrivals.removeFirst();
		}
		this.arrivals.addLast(now);
	}

	private void forgetBefore(long now) {
		for (Long first = this.arrivals.peekFirst(); first != null
				&& now - first >= this.lengthNanos; first = this.arrivals.peekFirst()) {
			this.arrivals.removeFirst();
		}
	}

	private long arrival(int number) {
		Iterator<Long> oldestFirst = this.arrivals.iterator();
		for (int i = 1; i < number; i++) {
			oldestFirst.next();
		}
		return oldestFirst.next();
	}

}
