package io.github.llmratelimit;

import java.time.Duration;
import java.util.Map;

/**
 * How calls wait in a provider's queue.
 *
 * @param capacity most calls that may wait at once
 * @param maxWait longest time a call may wait in all, by priority
 */
public record QueueRules(int capacity, Map<Priority, Duration> maxWait) {

	/**
	 * 10,000 calls; half a minute for interactive ones, half an hour for normal ones, a
	 * day for batch.
	 */
	public static final QueueRules DEFAULT = new QueueRules(10_000, Map.of(Priority.INTERACTIVE, Duration.ofSeconds(30),
			Priority.NORMAL, Duration.ofMinutes(30), Priority.BATCH, Duration.ofHours(24)));

	public QueueRules {
		maxWait = Map.copyOf(maxWait);
		for (Priority priority : Priority.values()) {
			if (!maxWait.containsKey(priority)) {
				throw new IllegalArgumentException("max-wait: " + maxWait + " (expected: a time for " + priority + ")");
			}
		}
	}

	/**
	 * The longest time a call may wait in all: its own choice, else the one of its
	 * priority.
	 * @param call the call
	 * @return the time
	 */
	public Duration maxWaitOf(LlmCall call) {
		Duration own = call.maxWait();
		return (own != null) ? own : this.maxWait.getOrDefault(call.priority(), Duration.ZERO);
	}

	public QueueRules withCapacity(int capacity) {
		return new QueueRules(capacity, this.maxWait);
	}

	public QueueRules withMaxWait(Duration maxWait) {
		return new QueueRules(this.capacity,
				Map.of(Priority.INTERACTIVE, maxWait, Priority.NORMAL, maxWait, Priority.BATCH, maxWait));
	}

}
