package io.github.llmratelimit.admission;

import java.util.Comparator;
import java.util.Objects;

import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.Priority;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one priority that wait for the same scope, in order of arrival: an
 * intrusive list, so that a waiter costs two links and leaves at once from any place. Not
 * thread-safe: it belongs to the drain.
 */
final class SubQueue {

	static final Comparator<SubQueue> BY_ARRIVAL_OF_HEAD = Comparator
		.<SubQueue>comparingLong((line) -> line.head().sequence())
		.thenComparingLong((line) -> line.number);

	private final long number;

	private final Priority priority;

	private final LimitScope scope;

	private final Backlog backlog = new Backlog();

	private @Nullable Waiter head;

	private @Nullable Waiter tail;

	/** What it waits for, or waited for before its head is asked for again. */
	@Nullable Hold hold;

	boolean held;

	SubQueue(long number, Priority priority, LimitScope scope) {
		this.number = number;
		this.priority = priority;
		this.scope = scope;
	}

	Priority priority() {
		return this.priority;
	}

	LimitScope scope() {
		return this.scope;
	}

	boolean isEmpty() {
		return this.head == null;
	}

	Backlog backlog() {
		return this.backlog;
	}

	Waiter head() {
		return Objects.requireNonNull(this.head);
	}

	/** Whether a new waiter would be the first. */
	boolean isBeforeHead(Waiter waiter) {
		return this.head == null || waiter.sequence() <= this.head.sequence();
	}

	/* A call that comes back has an old number, which stands near the head. */
	void add(Waiter waiter) {
		waiter.line = this;
		this.backlog.add(waiter.leastTokens(), waiter.call().units());
		if (this.tail == null || this.tail.sequence() < waiter.sequence()) {
			link(this.tail, waiter, null);
			return;
		}
		Waiter behind = head();
		while (behind.sequence() < waiter.sequence()) {
			behind = Objects.requireNonNull(behind.next);
		}
		link(behind.previous, waiter, behind);
	}

	void remove(Waiter waiter) {
		this.backlog.remove(waiter.leastTokens(), waiter.call().units());
		if (waiter.previous != null) {
			waiter.previous.next = waiter.next;
		}
		else {
			this.head = waiter.next;
		}
		if (waiter.next != null) {
			waiter.next.previous = waiter.previous;
		}
		else {
			this.tail = waiter.previous;
		}
		waiter.line = null;
		waiter.previous = null;
		waiter.next = null;
	}

	private void link(@Nullable Waiter before, Waiter waiter, @Nullable Waiter behind) {
		waiter.previous = before;
		waiter.next = behind;
		if (before != null) {
			before.next = waiter;
		}
		else {
			this.head = waiter;
		}
		if (behind != null) {
			behind.previous = waiter;
		}
		else {
			this.tail = waiter;
		}
	}

}
