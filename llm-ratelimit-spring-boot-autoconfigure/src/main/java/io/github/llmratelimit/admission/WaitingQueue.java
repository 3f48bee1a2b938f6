package io.github.llmratelimit.admission;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeSet;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.Priority;
import org.jspecify.annotations.Nullable;

/**
 * All waiting calls of one provider, with a sub-queue for each priority and scope. Not
 * thread-safe: it belongs to the drain.
 */
final class WaitingQueue {

	private static final Comparator<SubQueue> BY_ARRIVAL_OF_HEAD = Comparator
		.<SubQueue>comparingLong((line) -> line.head().sequence())
		.thenComparing((line) -> line.scope().toString());

	private final Map<Priority, Map<LimitScope, SubQueue>> lines = new EnumMap<>(Priority.class);

	private final Map<Priority, TreeSet<SubQueue>> order = new EnumMap<>(Priority.class);

	private final Deadlines deadlines = new Deadlines();

	private final WaitingCount waiting;

	private final Queue<Waiter> answered = new ArrayDeque<>();

	WaitingQueue(WaitingCount waiting) {
		this.waiting = waiting;
		for (Priority priority : Priority.values()) {
			this.lines.put(priority, new HashMap<>());
			this.order.put(priority, new TreeSet<>(BY_ARRIVAL_OF_HEAD));
		}
	}

	/**
	 * What surely goes before a new waiter: the calls of its scope that are at least as
	 * urgent. Those of another scope may be blocked, and then hold up nobody.
	 * @param waiter the waiter
	 * @param counted what is counted
	 * @return the sum
	 */
	long ahead(Waiter waiter, Counted counted) {
		long ahead = 0;
		for (Map.Entry<Priority, Map<LimitScope, SubQueue>> level : this.lines.entrySet()) {
			SubQueue line = level.getValue().get(waiter.claim().scope());
			if (line != null && level.getKey().compareTo(waiter.call().priority()) <= 0) {
				ahead += line.backlog().of(counted);
			}
		}
		return ahead;
	}

	/**
	 * The sub-queues of a priority, the one whose head came first in front.
	 * @param priority the priority
	 * @return the sub-queues, none of them empty
	 */
	TreeSet<SubQueue> lines(Priority priority) {
		return Objects.requireNonNull(this.order.get(priority));
	}

	@Nullable Waiter earliestDeadline() {
		return this.deadlines.earliest();
	}

	void add(Waiter waiter) {
		Priority priority = waiter.call().priority();
		SubQueue line = Objects.requireNonNull(this.lines.get(priority))
			.computeIfAbsent(waiter.claim().scope(), (scope) -> new SubQueue(priority, scope));
		reorder(line, () -> line.add(waiter));
		this.deadlines.add(waiter);
	}

	void remove(Waiter waiter) {
		SubQueue line = Objects.requireNonNull(waiter.line);
		reorder(line, () -> line.remove(waiter));
		this.deadlines.remove(waiter);
		this.waiting.remove(waiter.call().priority());
	}

	/**
	 * Answer a waiter, which leaves. One that was cancelled while the store was asked may
	 * have left before.
	 * @param waiter the waiter
	 * @param answer a permit or an exception
	 * @return false if it wants no answer any more
	 */
	boolean choose(Waiter waiter, Object answer) {
		if (waiter.isInLine()) {
			remove(waiter);
		}
		boolean chosen = waiter.choose(answer);
		if (chosen) {
			this.answered.add(waiter);
		}
		return chosen;
	}

	/** Hand over those who are to be told of their answers. */
	void moveAnsweredTo(Queue<Waiter> target) {
		target.addAll(this.answered);
		this.answered.clear();
	}

	/* A sub-queue is sorted by its head, so it is taken out while the head changes. */
	private void reorder(SubQueue line, Runnable change) {
		TreeSet<SubQueue> ordered = lines(line.priority());
		if (!line.isEmpty()) {
			ordered.remove(line);
		}
		change.run();
		if (!line.isEmpty()) {
			ordered.add(line);
		}
		else {
			Objects.requireNonNull(this.lines.get(line.priority())).remove(line.scope());
		}
	}

}
