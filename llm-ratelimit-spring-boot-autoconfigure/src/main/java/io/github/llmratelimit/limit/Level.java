package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.Limit;
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

	private static final int MOST_LIMITS = 16;

	private final LimitScope scope;

	private final WallTime wallTime;

	private MeteredLimit[] limits;

	private final ConcurrencySlots slots;

	private final Cooldown cooldown = new Cooldown();

	private final BlockedBy byCooldown;

	private final Verdict waitForRelease;

	private int consecutiveThrottles;

	private long throttledAt = Long.MIN_VALUE;

	Level(LimitPlan plan, LimitScope scope, WallTime wallTime) {
		this.scope = scope;
		this.wallTime = wallTime;
		this.limits = plan.limits()
			.stream()
			.map((limit) -> MeteredLimit.configured(limit, scope, wallTime))
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

	/**
	 * Apply an announcement to the limits that it means.
	 * @param observed what was announced
	 * @param ceiling the announced ceiling that theirs follow, {@code null} if they do
	 * not
	 * @param admittedAt when the call was admitted whose response says so
	 * @param now the current time
	 * @return whether there is such a limit
	 */
	boolean observe(Observed observed, @Nullable Long ceiling, long admittedAt, long now) {
		boolean meant = false;
		for (MeteredLimit limit : this.limits) {
			if (limit.isMeantBy(observed)) {
				limit.observe(observed, ceiling, admittedAt, now);
				meant = true;
			}
		}
		return meant;
	}

	/** As {@link #observe}, if what was announced is the very limit that is here. */
	boolean observeEqual(Observed observed, long admittedAt, long now) {
		boolean meant = false;
		for (MeteredLimit limit : this.limits) {
			if (limit.isMeantBy(observed) && limit.isAsLargeAs(observed)) {
				limit.observe(observed, null, admittedAt, now);
				meant = true;
			}
		}
		return meant;
	}

	/**
	 * Add a limit that was announced.
	 * @return false if there are too many
	 */
	boolean learn(Limit limit, Observed observed, long admittedAt, long now) {
		if (this.limits.length == MOST_LIMITS) {
			return false;
		}
		MeteredLimit learned = MeteredLimit.learned(limit, now, this.scope, this.wallTime);
		learned.observe(observed, null, admittedAt, now);
		this.limits = Arrays.copyOf(this.limits, this.limits.length + 1);
		this.limits[this.limits.length - 1] = learned;
		return true;
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
