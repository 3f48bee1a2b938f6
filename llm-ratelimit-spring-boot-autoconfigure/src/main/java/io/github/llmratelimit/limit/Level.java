package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

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

	private final LimitScope scope;

	private final LevelLimits limits;

	private final ConcurrencySlots slots;

	private final InFlight inFlight = new InFlight();

	private final Gate gate;

	private final @Nullable AdaptiveRules adaptive;

	private final @Nullable UnlimitedUse unlimited;

	private final Verdict waitForRelease;

	/* When a call was admitted last, or when one that waits will come again. */
	private long neededAt;

	Level(LimitPlan own, ProviderPlan plan, LimitScope scope, WallTime wallTime, long now) {
		this.scope = scope;
		this.neededAt = now;
		this.limits = new LevelLimits(own, plan, scope, wallTime);
		this.slots = new ConcurrencySlots(own.maxConcurrency());
		this.gate = new Gate(plan.closing(), scope);
		this.adaptive = plan.adaptive();
		this.unlimited = (this.adaptive != null && !scope.isOfModelGroup()) ? new UnlimitedUse() : null;
		this.waitForRelease = Verdict
			.waitForRelease(new BlockedBy(scope.account(), scope.modelGroup(), BlockedBy.CONCURRENCY, null));
	}

	LimitScope scope() {
		return this.scope;
	}

	LevelLimits limits() {
		return this.limits;
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
		return this.limits.check(claim, now, longest);
	}

	/**
	 * Take what a claim asks for.
	 * @return whether it goes to see if the level is open again
	 */
	boolean take(Claim claim, long now) {
		this.neededAt = now;
		this.slots.take();
		this.inFlight.add(claim);
		this.limits.take(claim, now);
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
		this.inFlight.remove(claim);
		this.limits.settle(claim, outcome, usage, givesBack);
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
		return this.limits.observe(observed, ceiling, false, claim, this.gate.spread(), now);
	}

	/** As {@link #observe}, if what was announced is the very limit that is here. */
	boolean observeEqual(Observed observed, Claim claim, long now) {
		return this.limits.observe(observed, null, true, claim, this.gate.spread(), now);
	}

	/**
	 * Add a limit that was announced.
	 * @return false if there are too many
	 */
	boolean learn(Limit limit, Observed observed, Claim claim, long now) {
		return this.limits.learn(limit, observed, claim, this.gate.spread(), now);
	}

	/**
	 * Replace the configured limits. What is used stays used; a limit that is new begins
	 * with what is in flight.
	 * @param own the limits from now on
	 * @param now the current time
	 */
	void replace(LimitPlan own, long now) {
		this.limits.replace(own.limits(), this.inFlight, now);
		this.slots.setMax(own.maxConcurrency());
	}

	LevelChange pause(@Nullable Duration length, String cause, long now) {
		return this.gate.pause(length, cause, now);
	}

	@Nullable LevelChange resume(long now) {
		return this.gate.resume(now);
	}

	/** Add the limit that a refusal has shown, if it is to be found. */
	void find(Claim claim, ThrottleSignal signal, long now) {
		if (this.adaptive != null && this.unlimited != null) {
			Counted counts = (signal.tripped() == Tripped.TOKENS) ? Counted.TOKENS : Counted.REQUESTS;
			long amount = this.unlimited.besides(claim, counts, now);
			this.limits.find(this.adaptive.found().limit(counts, amount, UnlimitedUse.PER), claim, now);
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
		return this.neededAt <= now && this.slots.inUse() == 0 && this.gate.isIdle(now) && this.limits.areIdle(now);
	}

	EvictedLevel evicted() {
		return new EvictedLevel(this.scope, this.limits.known());
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
		Cooldown own = cooldown.isNone() ? cooldown : this.limits.byOwnCount(cooldown, claim, signal, now);
		return this.gate.refused(own, signal.reason(), claim.admittedAt(), now);
	}

	/** Close for a while because of a refusal elsewhere. */
	@Nullable LevelChange coolDown(Cooldown cooldown, @Nullable String cause, long now) {
		return this.gate.refused(cooldown, cause, now, now);
	}

	/** The used share of what is used most, calls in flight included. */
	double load(long now) {
		return Math.max(this.slots.share(), this.limits.utilization(now));
	}

	LevelSnapshot snapshot(Map<String, State> keys, Map<String, LevelSnapshot> models, long now) {
		return new LevelSnapshot(this.gate.state(now), this.gate.cause(now), this.gate.closedFor(now),
				this.gate.consecutive(), this.slots.inUse(), this.slots.max(), keys, this.limits.snapshot(now), models);
	}

}
