package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.llmratelimit.AdaptiveRules;
import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.EvictedLevel;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

/**
 * Everything that holds up the calls of one level, of an account or of a model group:
 * cooldown, then calls in flight, then the limits over time. Not thread-safe.
 */
final class Level {

	/** After so long it does not matter any more that calls were refused. */
	static final long REMEMBERED_FOR = TimeUnit.HOURS.toNanos(1);

	private static final int MOST_LIMITS = 16;

	private final LimitScope scope;

	private final WallTime wallTime;

	private MeteredLimit[] limits;

	private final ConcurrencySlots slots;

	private final Gate gate;

	private final ProviderPlan plan;

	private final @Nullable UnlimitedUse unlimited;

	private final Verdict waitForRelease;

	/* When a call was admitted last, or when one that waits will come again. */
	private long neededAt;

	Level(LimitPlan own, ProviderPlan plan, LimitScope scope, WallTime wallTime, long now) {
		this.scope = scope;
		this.neededAt = now;
		this.wallTime = wallTime;
		this.limits = own.limits()
			.stream()
			.map((limit) -> MeteredLimit.configured(limit, plan, scope, wallTime))
			.toArray(MeteredLimit[]::new);
		this.slots = new ConcurrencySlots(own.maxConcurrency());
		this.gate = new Gate(plan.closing(), scope);
		this.plan = plan;
		this.unlimited = (plan.adaptive() != null && !scope.isOfModelGroup()) ? new UnlimitedUse() : null;
		this.waitForRelease = Verdict
			.waitForRelease(new BlockedBy(scope.account(), scope.modelGroup(), BlockedBy.CONCURRENCY, null));
	}

	LimitScope scope() {
		return this.scope;
	}

	void fit(Claim claim) {
		for (MeteredLimit limit : this.limits) {
			limit.fit(claim);
		}
	}

	/**
	 * Decide on a claim without taking anything.
	 * @param claim the claim
	 * @param now the current time
	 * @return what holds it up longest, {@code null} if nothing does
	 */
	@Nullable Verdict check(Claim claim, long now) {
		Verdict longest = this.gate.check(now);
		if (this.slots.isFull(now)) {
			longest = Verdict.longer(longest, this.waitForRelease);
		}
		for (MeteredLimit limit : this.limits) {
			longest = check(limit, claim, now, longest);
		}
		return longest;
	}

	private static @Nullable Verdict check(MeteredLimit limit, Claim claim, long now, @Nullable Verdict longest) {
		if (limit.canNeverHold(claim)) {
			return Verdict.neverFits(limit.blockedBy(), limit.nominal());
		}
		long nanos = limit.nanosUntil(claim, now);
		return (nanos > 0) ? Verdict.longer(longest, Verdict.waitFor(nanos, limit.blockedBy())) : longest;
	}

	/**
	 * Take what a claim asks for.
	 * @return whether it goes to see if the level is open again
	 */
	boolean take(Claim claim, long now) {
		this.neededAt = now;
		this.slots.take();
		for (MeteredLimit limit : this.limits) {
			limit.take(claim, now);
		}
		if (this.unlimited != null) {
			this.unlimited.take(claim, now);
		}
		return this.gate.take(now);
	}

	/**
	 * Correct what a claim has taken.
	 * @return what has changed, {@code null} if nothing has
	 */
	@Nullable LevelChange settle(Claim claim, CallOutcome outcome, @Nullable TokenUsage usage, boolean givesBack) {
		this.slots.free();
		for (MeteredLimit limit : this.limits) {
			long delta = claim.correction(limit.counts(), outcome, usage, givesBack);
			if (delta != 0) {
				limit.correct(delta, claim.admittedAt());
			}
		}
		if (this.unlimited != null) {
			this.unlimited.settle(claim, outcome, usage, givesBack);
		}
		return (outcome == CallOutcome.SUCCESS) ? this.gate.succeeded(claim.admittedAt()) : null;
	}

	/**
	 * Apply an announcement to the limits that it means.
	 * @param observed what was announced
	 * @param ceiling the announced ceiling that theirs follow, {@code null} if they do
	 * not
	 * @param claim the claim of the call whose response says so
	 * @param now the current time
	 * @return whether there is such a limit
	 */
	boolean observe(Observed observed, @Nullable Long ceiling, Claim claim, long now) {
		return observe(observed, ceiling, false, claim, now);
	}

	/** As {@link #observe}, if what was announced is the very limit that is here. */
	boolean observeEqual(Observed observed, Claim claim, long now) {
		return observe(observed, null, true, claim, now);
	}

	private boolean observe(Observed observed, @Nullable Long ceiling, boolean onlyEqual, Claim claim, long now) {
		boolean meant = false;
		for (MeteredLimit limit : this.limits) {
			if (limit.isMeantBy(observed) && (!onlyEqual || limit.isAsLargeAs(observed))) {
				limit.observe(observed, ceiling, claim, this.gate.spread(), now);
				meant = true;
			}
		}
		return meant;
	}

	/**
	 * Add a limit that was announced.
	 * @return false if there are too many
	 */
	boolean learn(Limit limit, Observed observed, Claim claim, long now) {
		if (this.limits.length == MOST_LIMITS) {
			return false;
		}
		MeteredLimit learned = MeteredLimit.learned(limit, now, this.plan, this.scope, this.wallTime);
		learned.observe(observed, null, claim, this.gate.spread(), now);
		add(learned);
		return true;
	}

	private void add(MeteredLimit limit) {
		this.limits = Arrays.copyOf(this.limits, this.limits.length + 1);
		this.limits[this.limits.length - 1] = limit;
	}

	/**
	 * The limit that a refusal most likely speaks of.
	 * @param signal what the refusal means
	 * @param now the current time
	 * @return the fullest rate of those that it may mean, {@code null} if there is none
	 */
	@Nullable MeteredLimit tripped(ThrottleSignal signal, long now) {
		MeteredLimit fullest = null;
		for (MeteredLimit limit : this.limits) {
			if (limit.mayBeMeantBy(signal)) {
				fullest = MeteredLimit.fuller(fullest, limit, now);
			}
		}
		return fullest;
	}

	/** Space the limits in whose slices a refused call was not alone. */
	void space(Claim claim, ThrottleSignal signal, long now) {
		for (MeteredLimit limit : this.limits) {
			if (limit.mayBeMeantBy(signal)) {
				limit.space(claim, now);
			}
		}
	}

	/** Add the limit that a refusal has shown, if it is to be found. */
	void find(Claim claim, ThrottleSignal signal, long now) {
		AdaptiveRules adaptive = this.plan.adaptive();
		if (adaptive != null && this.unlimited != null && this.limits.length < MOST_LIMITS) {
			Counted counts = (signal.tripped() == Tripped.TOKENS) ? Counted.TOKENS : Counted.REQUESTS;
			long amount = this.unlimited.besides(claim, counts, now);
			Limit limit = adaptive.found().limit(counts, amount, UnlimitedUse.PER);
			add(MeteredLimit.found(limit, claim, now, this.plan, this.scope, this.wallTime));
		}
	}

	/**
	 * A call could not be admitted, because of this level or another one.
	 * @param verdict what has become of the call
	 * @param now the current time
	 */
	void heldUp(Verdict verdict, long now) {
		switch (verdict.kind()) {
			case WAIT -> neededIn(Math.min(verdict.waitNanos(), REMEMBERED_FOR), now);
			case WAIT_FOR_RELEASE -> neededIn(REMEMBERED_FOR, now);
			default -> {
			}
		}
	}

	private void neededIn(long nanos, long now) {
		this.neededAt = Math.max(this.neededAt, now + nanos);
	}

	long neededAt() {
		return this.neededAt;
	}

	/** Whether nobody needs it, and a new level would decide in the same way. */
	boolean isIdle(long now) {
		if (this.neededAt > now || this.slots.inUse() > 0 || !this.gate.isIdle(now)) {
			return false;
		}
		for (MeteredLimit limit : this.limits) {
			if (!limit.isIdle(now)) {
				return false;
			}
		}
		return true;
	}

	EvictedLevel evicted() {
		return new EvictedLevel(this.scope, Stream.of(this.limits).map(MeteredLimit::limit).toList());
	}

	boolean isUnlimited() {
		return this.limits.length == 0;
	}

	boolean limits(@Nullable Counted counts) {
		for (MeteredLimit limit : this.limits) {
			if (limit.counts() == counts) {
				return true;
			}
		}
		return false;
	}

	/** A response has come to a call that was admitted then. */
	void answered(long admittedAt) {
		this.gate.answered(admittedAt);
	}

	/**
	 * React to a refusal.
	 * @param claim the claim of the refused call, not yet settled
	 * @param signal what the refusal means
	 * @param cooldown how long to close the level at least, if waiting helps
	 * @param now the current time
	 * @return what has changed, {@code null} if nothing has
	 */
	@Nullable LevelChange refuse(Claim claim, ThrottleSignal signal, Cooldown cooldown, long now) {
		return switch (signal.outcome()) {
			case THROTTLED, OVERLOADED -> throttle(claim, signal, cooldown, now);
			case QUOTA_EXHAUSTED -> this.gate.quotaExhausted(signal.hint(), signal.reason(), now);
			case BANNED -> this.gate.banned(signal.reason(), now);
			default -> null;
		};
	}

	private @Nullable LevelChange throttle(Claim claim, ThrottleSignal signal, Cooldown cooldown, long now) {
		if (signal.tripped() == Tripped.CONCURRENCY) {
			this.slots.refused(now);
			return null;
		}
		Cooldown own = cooldown.isNone() ? cooldown : byOwnCount(cooldown, claim, signal, now);
		return this.gate.refused(own, signal.reason(), claim.admittedAt(), now);
	}

	/** Close for a while because of a refusal elsewhere. */
	@Nullable LevelChange coolDown(Cooldown cooldown, @Nullable String cause, long now) {
		return this.gate.refused(cooldown, cause, now, now);
	}

	/*
	 * By our own count the tripped limit may need longer than the provider says. Others
	 * who share it have been told the same: each comes back at a moment of its own within
	 * the time of one call, which is as good as taking turns.
	 */
	private Cooldown byOwnCount(Cooldown cooldown, Claim claim, ThrottleSignal signal, long now) {
		long floor = 0;
		long interval = 0;
		for (MeteredLimit limit : this.limits) {
			if (limit.counts() == signal.tripped().counts()) {
				floor = Math.max(floor, limit.nanosUntilFree(claim, now));
				interval = Math.max(interval, limit.nanosFor(claim));
			}
		}
		return cooldown.atLeast(Duration.ofNanos(floor)).spreadOver(Duration.ofNanos(interval));
	}

	/** The used share of what is used most, calls in flight included. */
	double load(long now) {
		double load = this.slots.share();
		for (MeteredLimit limit : this.limits) {
			load = Math.max(load, limit.utilization(now));
		}
		return load;
	}

	LevelSnapshot snapshot(Map<String, State> keys, Map<String, LevelSnapshot> models, long now) {
		List<LimitSnapshot> snapshots = new ArrayList<>();
		for (MeteredLimit limit : this.limits) {
			snapshots.add(limit.snapshot(now));
		}
		return new LevelSnapshot(this.gate.state(now), this.gate.cause(now), this.gate.closedFor(now),
				this.gate.consecutive(), this.slots.inUse(), this.slots.max(), keys, snapshots, models);
	}

}
