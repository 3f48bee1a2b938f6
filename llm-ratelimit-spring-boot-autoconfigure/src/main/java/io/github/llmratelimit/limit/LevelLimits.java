package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

/**
 * The limits over time of one level: those that are configured, and those that are
 * learned or found. Not thread-safe; there is a bounded number of them.
 */
final class LevelLimits {

	private static final int MOST = 16;

	private final ProviderPlan plan;

	private final LimitScope scope;

	private final WallTime wallTime;

	private MeteredLimit[] limits;

	LevelLimits(LimitPlan own, ProviderPlan plan, LimitScope scope, WallTime wallTime) {
		this.plan = plan;
		this.scope = scope;
		this.wallTime = wallTime;
		this.limits = own.limits()
			.stream()
			.map((limit) -> MeteredLimit.configured(limit, plan, scope, wallTime))
			.toArray(MeteredLimit[]::new);
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
	 * @param longest what else holds it up
	 * @return what holds it up longest, {@code null} if nothing does
	 */
	@Nullable Verdict check(Claim claim, long now, @Nullable Verdict longest) {
		Verdict verdict = longest;
		for (MeteredLimit limit : this.limits) {
			verdict = check(limit, claim, now, verdict);
		}
		return verdict;
	}

	private static @Nullable Verdict check(MeteredLimit limit, Claim claim, long now, @Nullable Verdict longest) {
		if (limit.canNeverHold(claim)) {
			return Verdict.neverFits(limit.blockedBy(), limit.nominal());
		}
		long nanos = limit.nanosUntil(claim, now);
		return (nanos > 0) ? Verdict.longer(longest, Verdict.waitFor(nanos, limit.blockedBy())) : longest;
	}

	void take(Claim claim, long now) {
		for (MeteredLimit limit : this.limits) {
			limit.take(claim, now);
		}
	}

	void settle(Claim claim, CallOutcome outcome, @Nullable TokenUsage usage, boolean givesBack) {
		for (MeteredLimit limit : this.limits) {
			long delta = claim.correction(limit.counts(), outcome, usage, givesBack);
			if (delta != 0) {
				limit.correct(delta, claim.admittedAt());
			}
		}
	}

	/**
	 * Apply an announcement to the limits that it means.
	 * @param observed what was announced
	 * @param ceiling the announced ceiling that theirs follow, {@code null} if they do
	 * not
	 * @param onlyEqual whether it means only limits that are as large as announced
	 * @param claim the claim of the call whose response says so
	 * @param spread the part of a call's time by which the announcement is outlived
	 * @param now the current time
	 * @return whether there is such a limit
	 */
	boolean observe(Observed observed, @Nullable Long ceiling, boolean onlyEqual, Claim claim, double spread,
			long now) {
		boolean meant = false;
		for (MeteredLimit limit : this.limits) {
			if (limit.isMeantBy(observed) && (!onlyEqual || limit.isAsLargeAs(observed))) {
				limit.observe(observed, ceiling, claim, spread, now);
				meant = true;
			}
		}
		return meant;
	}

	/** Add a limit that was announced, unless there are too many. */
	boolean learn(Limit limit, Observed observed, Claim claim, double spread, long now) {
		if (isFull()) {
			return false;
		}
		MeteredLimit learned = MeteredLimit.learned(limit, now, this.plan, this.scope, this.wallTime);
		learned.observe(observed, null, claim, spread, now);
		add(learned);
		return true;
	}

	/** Add a limit that a refusal has shown, unless there are too many. */
	void find(Limit limit, Claim refused, long now) {
		if (!isFull()) {
			add(MeteredLimit.found(limit, refused, now, this.plan, this.scope, this.wallTime));
		}
	}

	/**
	 * Replace the configured limits; others stay, unless one of their name is configured.
	 * @param configured the configured limits from now on
	 * @param inFlight what those that are new begin with
	 * @param now the current time
	 */
	void replace(List<Limit> configured, InFlight inFlight, long now) {
		Stream<MeteredLimit> others = Stream.of(this.limits)
			.filter((limit) -> !limit.isConfigured() && configured.stream().noneMatch(limit::isNamedLike));
		this.limits = Stream.concat(configured.stream().map((limit) -> following(limit, inFlight, now)), others)
			.toArray(MeteredLimit[]::new);
	}

	private MeteredLimit following(Limit configured, InFlight inFlight, long now) {
		long used = inFlight.amount(configured.counts());
		for (MeteredLimit limit : this.limits) {
			if (limit.isNamedLike(configured)) {
				if (limit.follow(configured, now)) {
					return limit;
				}
				used = Math.max(used, limit.used(now));
			}
		}
		return MeteredLimit.added(configured, used, now, this.plan, this.scope, this.wallTime);
	}

	private boolean isFull() {
		return this.limits.length >= MOST;
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

	/*
	 * By our own count the tripped limit may need longer than the provider says. Others
	 * who share it have been told the same: each comes back at a moment of its own within
	 * the time of one call, which is as good as taking turns.
	 */
	Cooldown byOwnCount(Cooldown cooldown, Claim claim, ThrottleSignal signal, long now) {
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

	boolean isEmpty() {
		return this.limits.length == 0;
	}

	boolean contain(@Nullable Counted counts) {
		for (MeteredLimit limit : this.limits) {
			if (limit.counts() == counts) {
				return true;
			}
		}
		return false;
	}

	/** Whether new limits would decide in the same way. */
	boolean areIdle(long now) {
		for (MeteredLimit limit : this.limits) {
			if (!limit.isIdle(now)) {
				return false;
			}
		}
		return true;
	}

	/** The used share of the one that is used most, 0 if there is none. */
	double utilization(long now) {
		double most = 0;
		for (MeteredLimit limit : this.limits) {
			most = Math.max(most, limit.utilization(now));
		}
		return most;
	}

	List<Limit> known() {
		return Stream.of(this.limits).map(MeteredLimit::limit).toList();
	}

	List<LimitSnapshot> snapshot(long now) {
		return Stream.of(this.limits).map((limit) -> limit.snapshot(now)).toList();
	}

}
