package io.github.llmratelimit.admission;

import java.util.TreeSet;

import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.limit.BlockedBy;

/**
 * The sub-queues of one priority whose heads wait for the same limit. The one whose head
 * came first leads: as long as it is refused, the others would be refused because of it.
 * Not thread-safe: it belongs to the drain.
 */
final class Hold {

	private final long number;

	private final LimitScope level;

	private final Priority priority;

	private final BlockedBy blockedBy;

	private final TreeSet<SubQueue> lines = new TreeSet<>(SubQueue.BY_ARRIVAL_OF_HEAD);

	private long until = Long.MAX_VALUE;

	Hold(long number, LimitScope level, Priority priority, BlockedBy blockedBy) {
		this.number = number;
		this.level = level;
		this.priority = priority;
		this.blockedBy = blockedBy;
	}

	long number() {
		return this.number;
	}

	/** The level whose limit is waited for, the account being open if any will do. */
	LimitScope level() {
		return this.level;
	}

	boolean isFor(Priority priority, BlockedBy blockedBy) {
		return this.priority == priority && isFor(blockedBy);
	}

	boolean isFor(BlockedBy blockedBy) {
		return this.blockedBy.equals(blockedBy);
	}

	BlockedBy blockedBy() {
		return this.blockedBy;
	}

	/** When the lead may go, {@link Long#MAX_VALUE} if nobody knows. */
	long until() {
		return this.until;
	}

	void setUntil(long until) {
		this.until = until;
	}

	boolean isEmpty() {
		return this.lines.isEmpty();
	}

	SubQueue lead() {
		return this.lines.first();
	}

	void add(SubQueue line) {
		this.lines.add(line);
	}

	void remove(SubQueue line) {
		this.lines.remove(line);
	}

}
