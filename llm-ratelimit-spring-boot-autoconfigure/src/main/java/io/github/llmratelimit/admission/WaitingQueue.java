package io.github.llmratelimit.admission;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.limit.BlockedBy;
import org.jspecify.annotations.Nullable;

/**
 * All waiting calls of one provider, with a sub-queue for each priority and scope. A
 * sub-queue is either open, when it is not known whether its head may go, or held because
 * its head has been refused. Not thread-safe: it belongs to the drain.
 */
final class WaitingQueue {

	private final Map<Priority, Map<LimitScope, SubQueue>> lines = new EnumMap<>(Priority.class);

	private final Map<Priority, TreeSet<SubQueue>> open = new EnumMap<>(Priority.class);

	private final Holds holds;

	private final Deadlines deadlines = new Deadlines();

	private final WaitingCount waiting;

	private final Queue<Waiter> answered = new ArrayDeque<>();

	private long number;

	WaitingQueue(Set<String> accounts, WaitingCount waiting) {
		this.holds = new Holds(accounts);
		this.waiting = waiting;
		for (Priority priority : Priority.values()) {
			this.lines.put(priority, new HashMap<>());
			this.open.put(priority, new TreeSet<>(SubQueue.BY_ARRIVAL_OF_HEAD));
		}
	}

	/**
	 * What surely goes before a new waiter: the calls of its scope and priority. Those of
	 * another scope may be blocked, and those of another priority may have had their
	 * share.
	 * @param waiter the waiter
	 * @param counted what is counted
	 * @return the sum
	 */
	long ahead(Waiter waiter, Counted counted) {
		SubQueue line = linesOf(waiter.call().priority()).get(waiter.scope());
		return (line != null) ? line.backlog().of(counted) : 0;
	}

	/**
	 * The sub-queues of a priority that are not held, the one whose head came first in
	 * front.
	 * @param priority the priority
	 * @return the sub-queues, none of them empty
	 */
	TreeSet<SubQueue> open(Priority priority) {
		return Objects.requireNonNull(this.open.get(priority));
	}

	private Map<LimitScope, SubQueue> linesOf(Priority priority) {
		return Objects.requireNonNull(this.lines.get(priority));
	}

	/**
	 * The heads of held sub-queues that wait for something which a waiter would take.
	 * @param waiter the waiter
	 * @return the first of those that wait for the same limit
	 */
	List<Waiter> heldBeside(Waiter waiter) {
		List<SubQueue> leads = this.holds.leadsBeside(waiter.scope());
		if (leads.isEmpty()) {
			return List.of();
		}
		List<Waiter> heads = new ArrayList<>(leads.size());
		leads.forEach((line) -> heads.add(line.head()));
		return heads;
	}

	@Nullable Waiter earliestDeadline() {
		return this.deadlines.earliest();
	}

	/** The earliest moment at which a held sub-queue may be open again. */
	long nextDue() {
		return this.holds.nextDue();
	}

	void add(Waiter waiter) {
		SubQueue line = linesOf(waiter.call().priority()).computeIfAbsent(waiter.scope(),
				(scope) -> new SubQueue(this.number++, waiter.call().priority(), scope));
		if (line.isBeforeHead(waiter)) {
			changeHead(line, () -> line.add(waiter));
		}
		else {
			line.add(waiter);
		}
		this.deadlines.add(waiter);
	}

	void remove(Waiter waiter) {
		SubQueue line = Objects.requireNonNull(waiter.line);
		if (line.head() == waiter && !keepsPlace(line)) {
			changeHead(line, () -> line.remove(waiter));
		}
		else {
			line.remove(waiter);
		}
		this.deadlines.remove(waiter);
		this.waiting.remove(waiter.call().priority());
	}

	/* Where it is the only one, and its head kept nothing from others. */
	private boolean keepsPlace(SubQueue line) {
		return line.hold == null && line.head().next != null && open(line.priority()).size() == 1;
	}

	/*
	 * Sub-queues are sorted by their heads, so one is taken out while its head changes.
	 * What the old head kept from others is asked for again by those who lead then.
	 */
	private void changeHead(SubQueue line, Runnable change) {
		Hold hold = line.hold;
		boolean led = hold != null && (!line.held || hold.lead() == line);
		if (!line.isEmpty()) {
			takeOut(line);
		}
		line.hold = null;
		change.run();
		if (line.isEmpty()) {
			linesOf(line.priority()).remove(line.scope());
		}
		else {
			open(line.priority()).add(line);
		}
		if (led) {
			openAfter(line.scope());
		}
	}

	private void takeOut(SubQueue line) {
		if (line.held && line.hold != null) {
			this.holds.remove(line, line.hold);
			line.held = false;
		}
		else {
			open(line.priority()).remove(line);
		}
	}

	/**
	 * Hold the sub-queue of a refused waiter, if it is the first there.
	 * @param waiter the waiter
	 * @param blockedBy what it waits for
	 * @param until when it may go, {@link Long#MAX_VALUE} if nobody knows
	 */
	void hold(Waiter waiter, BlockedBy blockedBy, long until) {
		SubQueue line = Objects.requireNonNull(waiter.line);
		Hold before = line.hold;
		if (line.head() != waiter) {
			return;
		}
		if (line.held && before != null) {
			this.holds.again(before, until);
			return;
		}
		takeOut(line);
		line.hold = this.holds.add(line, blockedBy, until);
		line.held = true;
		if (before != null && !before.isFor(blockedBy)) {
			this.holds.leadsWith(before).forEach(this::open);
		}
	}

	/** Let those be asked for whose moment has come. */
	void openDue(long now) {
		this.holds.due(now).forEach(this::open);
	}

	/**
	 * Let those be asked for who may take what a call has given back.
	 * @param scope the scope of the call, with its account
	 */
	void openAfter(LimitScope scope) {
		this.holds.leadsBeside(scope).forEach(this::open);
	}

	private void open(SubQueue line) {
		takeOut(line);
		open(line.priority()).add(line);
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

}
