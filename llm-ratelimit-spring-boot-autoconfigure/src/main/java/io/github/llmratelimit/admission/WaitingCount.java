package io.github.llmratelimit.admission;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

import io.github.llmratelimit.Priority;

/**
 * How many calls wait, those on their way into the queue included. Thread-safe.
 */
final class WaitingCount {

	private final AtomicInteger total = new AtomicInteger();

	private final AtomicIntegerArray byPriority = new AtomicIntegerArray(Priority.values().length);

	/**
	 * Count one more.
	 * @return how many there are now
	 */
	int add(Priority priority) {
		return change(priority, 1);
	}

	void remove(Priority priority) {
		change(priority, -1);
	}

	private int change(Priority priority, int change) {
		this.byPriority.addAndGet(priority.ordinal(), change);
		return this.total.addAndGet(change);
	}

	boolean isZero() {
		return this.total.get() == 0;
	}

	Map<Priority, Integer> snapshot() {
		Map<Priority, Integer> counts = new EnumMap<>(Priority.class);
		for (Priority priority : Priority.values()) {
			counts.put(priority, this.byPriority.get(priority.ordinal()));
		}
		return counts;
	}

}
