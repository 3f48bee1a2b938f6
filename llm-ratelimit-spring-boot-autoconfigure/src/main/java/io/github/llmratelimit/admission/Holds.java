package io.github.llmratelimit.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.limit.BlockedBy;

/**
 * Which sub-queues wait for which limit, by the level it belongs to and by the moment
 * when they may go. However many are held, a moment that comes or something that is given
 * back concerns only those that lead at that level. Not thread-safe: it belongs to the
 * drain.
 */
final class Holds {

	private static final Comparator<Hold> BY_TIME = Comparator.comparingLong(Hold::until)
		.thenComparingLong(Hold::number);

	private final Set<String> accounts;

	private final Map<LimitScope, List<Hold>> byLevel = new HashMap<>();

	private final TreeSet<Hold> byTime = new TreeSet<>(BY_TIME);

	private long number;

	Holds(Set<String> accounts) {
		this.accounts = accounts;
	}

	/**
	 * Hold a sub-queue whose head has been refused.
	 * @param line the sub-queue, in no hold
	 * @param blockedBy what its head waits for
	 * @param until when its head may go, {@link Long#MAX_VALUE} if nobody knows
	 * @return the hold it is in
	 */
	Hold add(SubQueue line, BlockedBy blockedBy, long until) {
		Hold hold = holdFor(line, blockedBy);
		hold.add(line);
		if (hold.lead() == line) {
			setUntil(hold, until);
		}
		return hold;
	}

	private Hold holdFor(SubQueue line, BlockedBy blockedBy) {
		LimitScope level = levelOf(line.scope(), blockedBy);
		List<Hold> holds = this.byLevel.computeIfAbsent(level, (key) -> new ArrayList<>(1));
		for (Hold hold : holds) {
			if (hold.isFor(line.priority(), blockedBy)) {
				return hold;
			}
		}
		Hold hold = new Hold(this.number++, level, line.priority(), blockedBy);
		holds.add(hold);
		return hold;
	}

	/*
	 * A call that any account will do for waits for a level in each of them, of which
	 * only one is told: whatever is given back concerns it.
	 */
	private static LimitScope levelOf(LimitScope scope, BlockedBy blockedBy) {
		return scope.isAnyAccount() ? new LimitScope(scope.provider(), LimitScope.ANY_ACCOUNT, ProviderPlan.ANY_MODEL)
				: new LimitScope(scope.provider(), blockedBy.account(), blockedBy.modelGroup());
	}

	void remove(SubQueue line, Hold hold) {
		hold.remove(line);
		if (hold.isEmpty()) {
			setUntil(hold, Long.MAX_VALUE);
			this.byLevel.computeIfPresent(hold.level(), (level, holds) -> without(holds, hold));
		}
	}

	/* A level of which nobody waits any more is forgotten. */
	@SuppressWarnings("NullAway") // null removes the entry
	private static List<Hold> without(List<Hold> holds, Hold hold) {
		holds.remove(hold);
		return holds.isEmpty() ? null : holds;
	}

	private void setUntil(Hold hold, long until) {
		this.byTime.remove(hold);
		hold.setUntil(until);
		if (until != Long.MAX_VALUE) {
			this.byTime.add(hold);
		}
	}

	/** The earliest moment at which a lead may go. */
	long nextDue() {
		return this.byTime.isEmpty() ? Long.MAX_VALUE : this.byTime.first().until();
	}

	/** The leads whose moment has come; each is told once. */
	List<SubQueue> due(long now) {
		List<SubQueue> due = new ArrayList<>(1);
		while (nextDue() <= now) {
			Hold hold = this.byTime.first();
			due.add(hold.lead());
			setUntil(hold, Long.MAX_VALUE);
		}
		return due;
	}

	/**
	 * A lead has been refused once more.
	 * @param hold its hold
	 * @param until when it may go, {@link Long#MAX_VALUE} if nobody knows
	 */
	void again(Hold hold, long until) {
		if (until < hold.until()) {
			setUntil(hold, until);
		}
	}

	/** The leads that wait for the same limit as those of a hold, of all priorities. */
	List<SubQueue> leadsWith(Hold hold) {
		return leads(hold.level(), (other) -> other.isFor(hold.blockedBy()));
	}

	/**
	 * The leads that wait for limits which calls of a scope use as well.
	 * @param scope the scope; its account may be open
	 * @return the leads, of all priorities
	 */
	List<SubQueue> leadsBeside(LimitScope scope) {
		if (this.byLevel.isEmpty()) {
			return List.of();
		}
		List<SubQueue> leads = new ArrayList<>(leadsIn(LimitScope.ANY_ACCOUNT, scope));
		for (String account : scope.isAnyAccount() ? this.accounts : List.of(scope.account())) {
			leads.addAll(leadsIn(account, scope));
		}
		return leads;
	}

	private List<SubQueue> leadsIn(String account, LimitScope scope) {
		List<SubQueue> leads = leads(new LimitScope(scope.provider(), account, ProviderPlan.ANY_MODEL), (hold) -> true);
		if (!scope.modelGroup().equals(ProviderPlan.ANY_MODEL)) {
			leads.addAll(leads(new LimitScope(scope.provider(), account, scope.modelGroup()), (hold) -> true));
		}
		return leads;
	}

	private List<SubQueue> leads(LimitScope level, Predicate<Hold> which) {
		List<SubQueue> leads = new ArrayList<>();
		for (Hold hold : this.byLevel.getOrDefault(level, List.of())) {
			if (which.test(hold)) {
				leads.add(hold.lead());
			}
		}
		return leads;
	}

}
