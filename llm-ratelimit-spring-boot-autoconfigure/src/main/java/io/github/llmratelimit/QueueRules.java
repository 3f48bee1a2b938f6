package io.github.llmratelimit;

import java.time.Duration;
import java.util.Map;

/**
 * How calls wait in a provider's queue.
 *
 * @param capacity most calls that may wait at once
 * @param maxWait longest time a call may wait in all, by priority
 * @param lowPriorityShare the share of the tokens that normal and batch calls together
 * are sure of while they wait, and batch calls of what these two classes use; at least 0
 * and below 1
 * @param interactiveHeadroom the share of each limit that is left for interactive calls
 * while there are such calls; at least 0 and below 1
 */
public record QueueRules(int capacity, Map<Priority, Duration> maxWait, double lowPriorityShare,
		double interactiveHeadroom) {

	/**
	 * 10,000 calls; half a minute for interactive ones, half an hour for normal ones, a
	 * day for batch; a tenth for the lower classes, and a tenth kept for interactive
	 * calls.
	 */
	public static final QueueRules DEFAULT = new QueueRules(10_000, Map.of(Priority.INTERACTIVE, Duration.ofSeconds(30),
			Priority.NORMAL, Duration.ofMinutes(30), Priority.BATCH, Duration.ofHours(24)), 0.1, 0.1);

	public QueueRules {
		maxWait = Map.copyOf(maxWait);
		for (Priority priority : Priority.values()) {
			if (!maxWait.containsKey(priority)) {
				throw new IllegalArgumentException("max-wait: " + maxWait + " (expected: a time for " + priority + ")");
			}
		}
		requireShare("low-priority-share", lowPriorityShare);
		requireShare("interactive-headroom", interactiveHeadroom);
	}

	private static void requireShare(String name, double share) {
		if (!(share >= 0 && share < 1)) {
			throw new IllegalArgumentException(name + ": " + share + " (expected: >= 0 and < 1)");
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
		return new QueueRules(capacity, this.maxWait, this.lowPriorityShare, this.interactiveHeadroom);
	}

	public QueueRules withMaxWait(Duration maxWait) {
		return new QueueRules(this.capacity,
				Map.of(Priority.INTERACTIVE, maxWait, Priority.NORMAL, maxWait, Priority.BATCH, maxWait),
				this.lowPriorityShare, this.interactiveHeadroom);
	}

	public QueueRules withLowPriorityShare(double lowPriorityShare) {
		return new QueueRules(this.capacity, this.maxWait, lowPriorityShare, this.interactiveHeadroom);
	}

	public QueueRules withInteractiveHeadroom(double interactiveHeadroom) {
		return new QueueRules(this.capacity, this.maxWait, this.lowPriorityShare, interactiveHeadroom);
	}

}
