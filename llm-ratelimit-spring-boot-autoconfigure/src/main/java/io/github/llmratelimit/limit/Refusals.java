package io.github.llmratelimit.limit;

import java.util.ArrayList;
import java.util.List;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ClosingRules.Scope;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.ThrottleSignal;
import org.jspecify.annotations.Nullable;

/**
 * What refusals close in one account: the level or the key that each concerns; and what
 * they show of its limits. Not thread-safe.
 */
final class Refusals {

	private final Scope scope;

	private final Level account;

	private final ModelLevels models;

	private final AccountKeys keys;

	Refusals(Scope scope, Level account, ModelLevels models, AccountKeys keys) {
		this.scope = scope;
		this.account = account;
		this.models = models;
		this.keys = keys;
	}

	/**
	 * React to a refusal.
	 * @param claim the claim of the refused call, not yet settled
	 * @param signal what the refusal means
	 * @param cooldown how long to close the level at least
	 * @param now the current time
	 * @return what has changed
	 */
	List<LevelEvent> react(Claim claim, ThrottleSignal signal, Cooldown cooldown, long now) {
		List<LevelEvent> events = new ArrayList<>(1);
		LevelChange change = close(claim, signal, cooldown, events, now);
		if (change != null) {
			events.add(change);
		}
		if (signal.isAboutRate()) {
			adapt(claim, signal, now);
		}
		return events;
	}

	private @Nullable LevelChange close(Claim claim, ThrottleSignal signal, Cooldown cooldown, List<LevelEvent> events,
			long now) {
		if (this.keys.areMeantBy(claim, signal)) {
			return this.keys.refuse(claim, signal, now);
		}
		if (this.scope == Scope.REQUEST && signal.isTransient()) {
			return null;
		}
		return levelOf(claim, signal, events, now).refuse(claim, signal, cooldown, now);
	}

	private Level levelOf(Claim claim, ThrottleSignal signal, List<LevelEvent> events, long now) {
		Level group = (signal.outcome() == CallOutcome.QUOTA_EXHAUSTED) ? groupWithQuota(claim, signal, events, now)
				: groupWithLimit(claim, signal);
		return (group != null) ? group : this.account;
	}

	private @Nullable Level groupWithQuota(Claim claim, ThrottleSignal signal, List<LevelEvent> events, long now) {
		return (signal.level() == ThrottleSignal.Level.MODEL) ? this.models.madeFor(claim, events, now) : null;
	}

	private @Nullable Level groupWithLimit(Claim claim, ThrottleSignal signal) {
		Level group = this.models.of(claim);
		boolean ofGroup = group != null && this.scope == Scope.LIMIT
				&& group.limits().contain(signal.tripped().counts());
		return ofGroup ? group : null;
	}

	/* After closing: how long the limit needs is known by what it was. */
	private void adapt(Claim claim, ThrottleSignal signal, long now) {
		Level group = this.models.of(claim);
		this.account.limits().space(claim, signal, now);
		MeteredLimit tripped = this.account.limits().tripped(signal, now);
		if (group != null) {
			group.limits().space(claim, signal, now);
			tripped = MeteredLimit.fuller(tripped, group.limits().tripped(signal, now), now);
		}
		if (tripped != null) {
			tripped.refused(claim, now);
		}
		else {
			this.account.find(claim, signal, now);
		}
	}

}
