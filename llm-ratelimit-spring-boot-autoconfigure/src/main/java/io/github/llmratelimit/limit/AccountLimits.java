package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitLearning;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ObservedLimits;
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

	private final @Nullable CautiousStart start;

	private final Level account;

	private final ModelLevels models;

	private final AccountKeys keys;

	private final Announcements announcements;

	private final Refusals refusals;

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
		LimitScope whole = new LimitScope(plan.provider(), account, ProviderPlan.ANY_MODEL);
		this.account = new Level(own, plan, whole, wallTime, Long.MIN_VALUE);
		LimitLearning learning = plan.learning();
		this.start = (learning != null) ? new CautiousStart(learning.perModel(), whole) : null;
		this.models = new ModelLevels(plan, whole, wallTime, this.start);
		this.keys = new AccountKeys(plan.keys().of(account), plan.closing(), whole);
		this.announcements = new Announcements(learning, this.account, this.models);
		this.refusals = new Refusals(plan.closing().scope(), this.account, this.models, this.keys);
	}

	/**
	 * Its name.
	 * @return the name of the account
	 */
	public String name() {
		return this.account.scope().account();
	}

	/**
	 * Take all that a claim asks for, if every limit of its scope allows it.
	 * @param claim the claim; if it is granted, it knows the account from then on
	 * @param now the current time
	 * @return the decision; nothing is taken unless it is {@linkplain Verdict#isGranted()
	 * granted}
	 */
	public Verdict reserve(Claim claim, long now) {
		long time = forward(now);
		Level group = this.models.of(claim);
		if (claim.call().tokens().outputIsGuess()) {
			fit(claim, group);
		}
		Verdict refusal = this.account.check(claim, time);
		if (group != null) {
			refusal = Verdict.longer(refusal, group.check(claim, time));
		}
		if (this.start != null && isUnknown(group)) {
			refusal = Verdict.longer(refusal, this.start.check(claim, time));
		}
		refusal = Verdict.longer(refusal, this.keys.check(claim, time));
		if (refusal != null) {
			if (group != null) {
				group.heldUp(refusal, time);
			}
			return refusal;
		}
		return take(claim, group, time) ? Verdict.PROBE : Verdict.GRANTED;
	}

	/**
	 * Take all that a claim asks for, whether it is allowed or not.
	 * @param claim the claim, which knows the account from then on
	 * @param now the current time
	 * @return what {@link #reserve} would have decided
	 */
	public Verdict count(Claim claim, long now) {
		Verdict verdict = reserve(claim, now);
		if (!verdict.isGranted()) {
			take(claim, this.models.of(claim), this.latest);
		}
		return verdict;
	}

	/**
	 * End a claim and correct it. Ending it again does nothing.
	 * @param claim a granted claim
	 * @param outcome how its call ended
	 * @param usage tokens really used, {@code null} if unknown
	 * @return levels that are open again
	 */
	public List<LevelChange> settle(Claim claim, CallOutcome outcome, @Nullable TokenUsage usage) {
		if (!claim.end()) {
			return List.of();
		}
		Level group = this.models.countedIn(claim);
		if (this.start != null && isUnknown(group)) {
			this.start.ended(claim, outcome);
		}
		LevelChange ofAccount = this.account.settle(claim, outcome, usage, this.givesBack);
		LevelChange ofGroup = (group != null) ? group.settle(claim, outcome, usage, this.givesBack) : null;
		LevelChange ofKey = (outcome == CallOutcome.SUCCESS) ? this.keys.succeeded(claim) : null;
		return changes(ofAccount, ofGroup, ofKey);
	}

	private static List<LevelChange> changes(@Nullable LevelChange first, @Nullable LevelChange second,
			@Nullable LevelChange third) {
		if (first == null && second == null && third == null) {
			return List.of();
		}
		return Stream.of(first, second, third).flatMap(Stream::ofNullable).toList();
	}

	/**
	 * Correct levels, and the ceilings if they are learned, by what the response to a
	 * call announces.
	 * @param claim the claim of the call
	 * @param limits the announced limits, if any
	 * @param now the current time
	 * @return limits that were not known before, and levels that have made room for them
	 */
	public List<LevelEvent> observe(Claim claim, ObservedLimits limits, long now) {
		answered(claim);
		return this.announcements.apply(claim, limits, forward(now));
	}

	private void answered(Claim claim) {
		Level group = this.models.countedIn(claim);
		if (this.start != null && isUnknown(group)) {
			this.start.answered(claim);
		}
		this.account.answered(claim.admittedAt());
		if (group != null) {
			group.answered(claim.admittedAt());
		}
	}

	/**
	 * Close the level that a refusal concerns, or the key if it concerns that alone.
	 * @param claim the claim of the refused call, not yet settled
	 * @param signal what the refusal means
	 * @param cooldown how long to close it at least
	 * @param now the current time
	 * @return what has changed
	 */
	public List<LevelEvent> refuse(Claim claim, ThrottleSignal signal, Cooldown cooldown, long now) {
		return this.refusals.react(claim, signal, cooldown, forward(now));
	}

	/**
	 * Close the whole account because another one of the provider has been refused.
	 * @param signal what the refusal means
	 * @param cooldown how long to close it
	 * @param now the current time
	 * @return what has changed
	 */
	public List<LevelEvent> coolDown(ThrottleSignal signal, Cooldown cooldown, long now) {
		return events(this.account.coolDown(cooldown, signal.reason(), forward(now)));
	}

	/**
	 * Replace configured limits while calls are in flight.
	 * @param modelGroup name of a configured model group, {@link ProviderPlan#ANY_MODEL}
	 * for the account's own limits
	 * @param plan the limits from now on; what is used stays used
	 * @param now the current time
	 */
	public void replace(String modelGroup, LimitPlan plan, long now) {
		Level level = modelGroup.equals(ProviderPlan.ANY_MODEL) ? this.account : this.models.named(modelGroup);
		level.replace(plan, forward(now));
	}

	/**
	 * Close the account until it is resumed.
	 * @param length how long at most, {@code null} for any time
	 * @param cause why
	 * @param now the current time
	 * @return what has changed
	 */
	public List<LevelEvent> pause(@Nullable Duration length, String cause, long now) {
		return events(this.account.pause(length, cause, forward(now)));
	}

	/**
	 * End a pause. What refusals have closed stays closed.
	 * @param now the current time
	 * @return what has changed
	 */
	public List<LevelEvent> resume(long now) {
		return events(this.account.resume(forward(now)));
	}

	private static List<LevelEvent> events(@Nullable LevelChange change) {
		return (change != null) ? List.of(change) : List.of();
	}

	/**
	 * The state of the account and its model groups.
	 * @param now the current time
	 * @return a copy
	 */
	public LevelSnapshot snapshot(long now) {
		long time = forward(now);
		return this.account.snapshot(this.keys.snapshot(time), this.models.snapshot(time), time);
	}

	/**
	 * How much the account is used, for a comparison with other accounts.
	 * @param claim a claim that wants to go there
	 * @param now the current time
	 * @return the used share of that of the claim's limits which is used most
	 */
	public double load(Claim claim, long now) {
		long time = forward(now);
		Level group = this.models.of(claim);
		double load = this.account.load(time);
		return (group != null) ? Math.max(load, group.load(time)) : load;
	}

	private void fit(Claim claim, @Nullable Level group) {
		claim.restoreOutput();
		this.account.limits().fit(claim);
		if (group != null) {
			group.limits().fit(claim);
		}
	}

	/** Whether the call goes to see if a level is open again. */
	private boolean take(Claim claim, @Nullable Level group, long now) {
		boolean probe = this.account.take(claim, now) | this.keys.take(claim, now);
		if (group != null) {
			probe |= group.take(claim, now);
		}
		if (this.start != null && isUnknown(group)) {
			this.start.take(claim, now);
		}
		claim.grant((group != null) ? group.scope() : this.account.scope(), now);
		return probe;
	}

	private boolean isUnknown(@Nullable Level group) {
		return this.account.limits().isEmpty() && (group == null || group.limits().isEmpty());
	}

	/* Two threads may read the clock in one order and arrive in the other. */
	private long forward(long now) {
		this.latest = Math.max(this.latest, now);
		return this.latest;
	}

}
