package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

/**
 * Everything that holds up the calls of one level, of an account or of a model group:
 * cooldown, then calls in flight, then the limits over time. Not thread-safe.
 */
final class Level {

	private final LimitScope scope;

	private final MeteredLimit[] limits;

	private final ConcurrencySlots slots;

	private final Cooldown cooldown = new Cooldown();

	private final BlockedBy byCooldown;

	private final Verdict waitForRelease;

	private int consecutiveThrottles;

	private long throttledAt = Long.MIN_VALUE;

	Level(LimitPlan plan, LimitScope scope, WallTime wallTime) {
		this.scope = scope;
		this.limits = plan.limits()
			.stream()
			.map((limit) -> new MeteredLimit(limit, scope, wallTime))
			.toArray(MeteredLimit[]::new);
		this.slots = new ConcurrencySlots(plan.maxConcurrency());
		this.byCooldown = new BlockedBy(scope.account(), scope.modelGroup(), BlockedBy.COOLDOWN, null);
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
		Verdict longest = null;
		long left = this.cooldown.nanosLeft(now);
		if (left > 0) {
			longest = Verdict.waitFor(left, this.byCooldown);
		}
		if (this.slots.isFull()) {
			longest = this.waitForRelease;
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

	void take(Claim claim, long now) {
		this.slots.take();
		for (MeteredLimit limit : this.limits) {
			limit.take(claim, now);
		}
	}

	void settle(Claim claim, CallOutcome outcome, @Nullable TokenUsage usage, boolean givesBack) {
		this.slots.free();
		for (MeteredLimit limit : this.limits) {
			long delta = claim.correction(limit.counts(), outcome, usage, givesBack);
			if (delta != 0) {
				limit.correct(delta, claim.admittedAt());
			}
		}
		if (outcome == CallOutcome.SUCCESS && claim.admittedAt() > this.throttledAt) {
			this.consecutiveThrottles = 0;
		}
	}

	boolean observe(Observed observed, long admittedAt, long now) {
		boolean meant = false;
		for (MeteredLimit limit : this.limits) {
			if (limit.isMeantBy(observed)) {
				limit.observe(observed, admittedAt, now);
				meant = true;
			}
		}
		return meant;
	}

	boolean limits(@Nullable Counted counts) {
		for (MeteredLimit limit : this.limits) {
			if (limit.counts() == counts) {
				return true;
			}
		}
		return false;
	}

	void throttle(Duration cooldown, @Nullable String cause, long now) {
		this.consecutiveThrottles++;
		this.throttledAt = now;
		this.cooldown.close(cooldown, cause, now);
	}

	LevelSnapshot snapshot(Map<String, LevelSnapshot> models, long now) {
		long left = this.cooldown.nanosLeft(now);
		List<LimitSnapshot> snapshots = new ArrayList<>();
		for (MeteredLimit limit : this.limits) {
			snapshots.add(limit.snapshot(now));
		}
		return new LevelSnapshot((left > 0) ? State.COOLING_DOWN : State.OPEN,
				(left > 0) ? this.cooldown.cause() : null, (left > 0) ? Duration.ofNanos(left) : null,
				this.consecutiveThrottles, this.slots.inUse(), this.slots.max(), snapshots, models);
	}

}
