package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

/**
 * All limits of one account, its own and those of its model groups, as one state machine:
 * a claim gets everything or takes nothing. Not thread-safe; {@code now} is in
 * nanoseconds of one monotonic clock.
 */
public final class AccountLimits {

	private final boolean givesBack;

	private final Level account;

	private final Map<String, Level> groups = new LinkedHashMap<>();

	private long latest = Long.MIN_VALUE;

	/**
	 * Create limits of which nothing is used.
	 * @param plan the plan of the provider
	 * @param account name of one of its accounts
	 * @param wallTime relation of the two clocks
	 */
	public AccountLimits(ProviderPlan plan, String account, WallTime wallTime) {
		this.givesBack = plan.givesBack();
		LimitPlan own = plan.accounts().getOrDefault(account, LimitPlan.UNLIMITED);
		this.account = new Level(own, new LimitScope(plan.provider(), account, ProviderPlan.ANY_MODEL), wallTime);
		for (ModelGroup model : plan.models()) {
			LimitScope scope = new LimitScope(plan.provider(), account, model.name());
			this.groups.put(model.name(), new Level(model.plan(), scope, wallTime));
		}
	}

	/**
	 * Take all that a claim asks for, if every limit of its scope allows it.
	 * @param claim the claim; if it is granted, it knows the account from then on
	 * @param now the current time
	 * @return the decision; nothing is taken unless it is {@link Verdict#GRANTED}
	 */
	public Verdict reserve(Claim claim, long now) {
		long time = forward(now);
		Level group = groupOf(claim);
		if (claim.call().tokens().outputIsGuess()) {
			fit(claim, group);
		}
		Verdict refusal = this.account.check(claim, time);
		if (group != null) {
			refusal = Verdict.longer(refusal, group.check(claim, time));
		}
		if (refusal != null) {
			return refusal;
		}
		take(claim, group, time);
		return Verdict.GRANTED;
	}

	/**
	 * End a claim and correct it. Ending it again does nothing.
	 * @param claim a granted claim
	 * @param outcome how its call ended
	 * @param usage tokens really used, {@code null} if unknown
	 */
	public void settle(Claim claim, CallOutcome outcome, @Nullable TokenUsage usage) {
		if (!claim.end()) {
			return;
		}
		this.account.settle(claim, outcome, usage, this.givesBack);
		Level group = groupOf(claim);
		if (group != null) {
			group.settle(claim, outcome, usage, this.givesBack);
		}
	}

	/**
	 * Correct levels by what the response to a call announces.
	 * @param claim the claim of the call
	 * @param limits the announced limits
	 * @param now the current time
	 */
	public void observe(Claim claim, ObservedLimits limits, long now) {
		long time = forward(now);
		Level group = groupOf(claim);
		for (Observed observed : limits.limits()) {
			if (group == null || !group.observe(observed, claim.admittedAt(), time)) {
				this.account.observe(observed, claim.admittedAt(), time);
			}
		}
	}

	/**
	 * Close the level whose limit a refused call has hit: the model group if it has such
	 * a limit, else the account.
	 * @param claim the claim of the refused call
	 * @param signal what the refusal means
	 * @param cooldown how long to close it
	 * @param now the current time
	 */
	public void coolDown(Claim claim, ThrottleSignal signal, Duration cooldown, long now) {
		Level group = groupOf(claim);
		boolean ofGroup = group != null && group.limits(signal.tripped().counts());
		Level level = (group != null && ofGroup) ? group : this.account;
		level.throttle(cooldown, signal.reason(), forward(now));
	}

	/**
	 * The state of the account and its model groups.
	 * @param now the current time
	 * @return a copy
	 */
	public LevelSnapshot snapshot(long now) {
		long time = forward(now);
		Map<String, LevelSnapshot> models = new LinkedHashMap<>();
		this.groups.forEach((name, level) -> models.put(name, level.snapshot(Map.of(), time)));
		return this.account.snapshot(models, time);
	}

	private void fit(Claim claim, @Nullable Level group) {
		claim.restoreOutput();
		this.account.fit(claim);
		if (group != null) {
			group.fit(claim);
		}
	}

	private void take(Claim claim, @Nullable Level group, long now) {
		this.account.take(claim, now);
		if (group != null) {
			group.take(claim, now);
		}
		claim.grant((group != null) ? group.scope() : this.account.scope(), now);
	}

	private @Nullable Level groupOf(Claim claim) {
		return this.groups.isEmpty() ? null : this.groups.get(claim.scope().modelGroup());
	}

	/* Two threads may read the clock in one order and arrive in the other. */
	private long forward(long now) {
		this.latest = Math.max(this.latest, now);
		return this.latest;
	}

}
