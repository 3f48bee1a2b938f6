package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.Objects;

import io.github.llmratelimit.AdaptiveRules;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LimitSnapshot.Source;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import org.jspecify.annotations.Nullable;

/**
 * One limit with its state: the ceiling itself, if calls are to be spaced the spacing,
 * and if it follows what the provider accepts the share that is used. Not thread-safe.
 */
final class MeteredLimit {

	private final Source origin;

	/** The most that announcements can raise the limit to. */
	private long most;

	/** When counting began. */
	private final long since;

	private final BlockedBy blockedBy;

	private final @Nullable AdaptiveRate adaptive;

	private final Headroom headroom;

	private final Ceiling ceiling;

	private Limit limit;

	/* What is used of the limit. */
	private long effective;

	private @Nullable Spacing spacing;

	private long observedAt = Long.MIN_VALUE;

	private MeteredLimit(Source origin, Limit limit, long since, @Nullable AdaptiveRate adaptive, Headroom headroom,
			LimitScope scope, WallTime wallTime) {
		this.origin = origin;
		this.limit = limit;
		this.most = (origin == Source.CONFIGURED) ? limit.amount() : Long.MAX_VALUE;
		this.since = since;
		this.adaptive = adaptive;
		this.headroom = headroom;
		this.blockedBy = new BlockedBy(scope.account(), scope.modelGroup(), limit.name(), limit.counts());
		this.effective = usable();
		this.ceiling = ceilingOf(limit, this.effective, wallTime);
		this.spacing = Spacing.configured(limit, this.effective);
	}

	static MeteredLimit configured(Limit limit, ProviderPlan plan, LimitScope scope, WallTime wallTime) {
		return configured(limit, Long.MIN_VALUE, plan, scope, wallTime);
	}

	/**
	 * A limit that is configured later.
	 * @param used what counts as used now
	 */
	static MeteredLimit added(Limit limit, long used, long now, ProviderPlan plan, LimitScope scope,
			WallTime wallTime) {
		MeteredLimit added = configured(limit, now, plan, scope, wallTime);
		added.ceiling.take(used, now);
		return added;
	}

	private static MeteredLimit configured(Limit limit, long since, ProviderPlan plan, LimitScope scope,
			WallTime wallTime) {
		AdaptiveRules adaptive = plan.adaptive();
		double most = (adaptive != null && adaptive.aboveConfigured()) ? Double.MAX_VALUE : 1;
		return new MeteredLimit(Source.CONFIGURED, limit, since, rate(limit, adaptive, most),
				Headroom.of(limit, plan.queue()), scope, wallTime);
	}

	static MeteredLimit learned(Limit limit, long now, ProviderPlan plan, LimitScope scope, WallTime wallTime) {
		return new MeteredLimit(Source.LEARNED, limit, now, rate(limit, plan.adaptive(), 1),
				Headroom.of(limit, plan.queue()), scope, wallTime);
	}

	/**
	 * A limit that a refusal has shown.
	 * @param limit as large as what was used in its window
	 * @param refused the claim of the refused call
	 */
	static MeteredLimit found(Limit limit, Claim refused, long now, ProviderPlan plan, LimitScope scope,
			WallTime wallTime) {
		AdaptiveRate rate = new AdaptiveRate(Objects.requireNonNull(plan.adaptive()), 1, Double.MAX_VALUE);
		MeteredLimit found = new MeteredLimit(Source.ADAPTED, limit, now, rate, Headroom.of(limit, plan.queue()), scope,
				wallTime);
		found.ceiling.take(limit.amount(), now);
		found.refused(refused, now);
		return found;
	}

	private static @Nullable AdaptiveRate rate(Limit limit, @Nullable AdaptiveRules rules, double most) {
		if (rules == null || !limit.isRate()) {
			return null;
		}
		return new AdaptiveRate(rules, limit.isLeftWhole() ? 1 : rules.start(), most);
	}

	private static Ceiling ceilingOf(Limit limit, long effective, WallTime wallTime) {
		long perNanos = limit.per().toNanos();
		long slackNanos = limit.slack().toNanos();
		return switch (limit.algorithm()) {
			case SLIDING_WINDOW -> new SlidingWindow(effective, perNanos, slackNanos);
			case TOKEN_BUCKET -> new TokenBucket(effective, perNanos, slackNanos, perNanos);
			case FIXED_WINDOW -> new FixedWindow(effective, limit.per(), slackNanos, limit.resetsAt(), wallTime);
		};
	}

	private long usable() {
		long effective = this.limit.effective();
		return (this.adaptive != null) ? Math.max(1, Math.round(effective * this.adaptive.share())) : effective;
	}

	BlockedBy blockedBy() {
		return this.blockedBy;
	}

	Limit limit() {
		return this.limit;
	}

	Counted counts() {
		return this.limit.counts();
	}

	boolean canNeverHold(Claim claim) {
		return !this.limit.canHold(claim.call());
	}

	long nominal() {
		return this.limit.amount();
	}

	/**
	 * Cut guessed output to what the limit can hold.
	 * @param claim a claim whose output is only a guess
	 */
	void fit(Claim claim) {
		long excess = claim.amount(this.limit.counts()) - this.effective;
		if (excess > 0 && this.limit.counts().includesOutput()) {
			claim.cutOutput(excess);
		}
	}

	/**
	 * How long a claim waits, or until it is worth asking again.
	 * @return nanoseconds, 0 if it may be taken now
	 */
	long nanosUntil(Claim claim, long now) {
		long nanos = nanosUntilFree(claim, now);
		return (nanos > 0 && this.adaptive != null) ? nanosUntilGrown(this.adaptive, claim, nanos, now) : nanos;
	}

	private long nanosUntilGrown(AdaptiveRate rate, Claim claim, long nanos, long now) {
		if (!rate.grow(now)) {
			return Math.min(nanos, rate.nanosUntilGrowth(now));
		}
		resize(this.limit, now);
		return Math.min(nanosUntilFree(claim, now), rate.nanosUntilGrowth(now));
	}

	/** How long a claim waits if the limit stays as it is. */
	long nanosUntilFree(Claim claim, long now) {
		long amount = claim.amount(this.limit.counts());
		if (amount == 0) {
			return 0;
		}
		long left = this.headroom.leftBy(claim, this.effective, now);
		long nanos = this.ceiling.nanosUntil(amount + left, now);
		return (this.spacing != null) ? Math.max(nanos, nanosUntilSpaced(this.spacing, amount, now)) : nanos;
	}

	private long nanosUntilSpaced(Spacing spacing, long amount, long now) {
		if (spacing.isOver(now)) {
			this.spacing = null;
			return 0;
		}
		return spacing.nanosUntil(amount, now);
	}

	/** The time in which the limit admits as much as the claim asks for. */
	long nanosFor(Claim claim) {
		double share = (double) claim.amount(this.limit.counts()) / this.effective;
		return (long) (this.limit.per().toNanos() * share);
	}

	/* Taken even if it is nothing: the call may use something all the same. */
	void take(Claim claim, long now) {
		long amount = claim.amount(this.limit.counts());
		this.ceiling.take(amount, now);
		if (this.spacing != null) {
			this.spacing.take(amount, now);
		}
		this.headroom.take(claim, this.limit.counts(), now);
	}

	/* A configured limit has begun with what was in flight, a learned one without. */
	void correct(long delta, long takenAt) {
		if (takenAt < this.since && !isConfigured()) {
			return;
		}
		long countedAt = Math.max(takenAt, this.since);
		this.ceiling.correct(delta, countedAt);
		if (this.spacing != null) {
			this.spacing.correct(delta, countedAt);
		}
	}

	/**
	 * Apply an announcement, unless a newer one has been applied.
	 * @param observed what was announced
	 * @param ceiling the announced ceiling to follow, {@code null} to keep the present
	 * one
	 * @param claim the claim of the call whose response says so
	 * @param spread the part of a call's time by which the announcement is outlived, from
	 * 0 to 1: others have been told the same moment
	 * @param now the current time
	 */
	void observe(Observed observed, @Nullable Long ceiling, Claim claim, double spread, long now) {
		if (claim.admittedAt() < this.observedAt) {
			return;
		}
		this.observedAt = claim.admittedAt();
		if (ceiling != null) {
			follow(Math.min(ceiling, this.most), now);
		}
		Long remaining = observed.remaining();
		if (remaining != null) {
			long validNanos = validityOf(observed).toNanos() + (long) (spread * nanosFor(claim));
			this.ceiling.observe(remaining, claim.admittedAt(), validNanos, now);
		}
	}

	private void follow(long announced, long now) {
		if (this.adaptive != null) {
			this.adaptive.announced(now);
		}
		Limit followed = (announced != this.limit.amount()) ? this.limit.withAmount(announced) : this.limit;
		if (followed != this.limit || usable() != this.effective) {
			resize(followed, now);
		}
	}

	private Duration validityOf(Observed observed) {
		Duration reset = observed.reset();
		return (reset != null && reset.compareTo(this.limit.per()) < 0) ? reset : this.limit.per();
	}

	/**
	 * The provider has refused a call although by our own count it had room: its window
	 * may be cut into slices.
	 * @param claim the claim of the call
	 * @param now the current time
	 */
	void space(Claim claim, long now) {
		if (this.spacing == null) {
			this.spacing = Spacing.recognized(this.limit, this.effective, this.ceiling, claim, now);
		}
	}

	/**
	 * The provider has refused a call most likely because of this limit: it may be lower.
	 * @param claim the claim of the call
	 * @param now the current time
	 */
	void refused(Claim claim, long now) {
		if (this.adaptive != null && this.adaptive.cut(claim.admittedAt(), now)) {
			resize(this.limit, now);
		}
		else if (this.origin == Source.ADAPTED && claim.admittedAt() < this.since) {
			findLess(claim.amount(this.limit.counts()), now);
		}
	}

	/* When the limit was found, refusals of the same burst were taken for accepted. */
	private void findLess(long amount, long now) {
		this.ceiling.correct(-amount, this.since);
		resize(this.limit.withAmount(Math.max(1, this.limit.amount() - amount)), now);
	}

	/**
	 * Follow a change of the configuration, if nothing but the amount is new.
	 * @param configured the limit as it is configured now
	 * @param now the current time
	 * @return false if it takes another limit to follow it
	 */
	boolean follow(Limit configured, long now) {
		boolean sameKind = configured.withAmount(this.limit.amount()).equals(this.limit)
				&& configured.isLeftWhole() == this.limit.isLeftWhole();
		if (!isConfigured() || !sameKind) {
			return false;
		}
		this.most = configured.amount();
		resize(configured, now);
		return true;
	}

	boolean isConfigured() {
		return this.origin == Source.CONFIGURED;
	}

	boolean isNamedLike(Limit other) {
		return this.limit.name().equals(other.name());
	}

	long used(long now) {
		return this.ceiling.used(now);
	}

	private void resize(Limit limit, long now) {
		this.limit = limit;
		this.effective = usable();
		this.ceiling.resize(this.effective, now);
		if (this.spacing != null) {
			this.spacing = this.spacing.resized(this.limit, this.effective, now);
		}
	}

	boolean isMeantBy(Observed observed) {
		return observed.counts() == this.limit.counts()
				&& (observed.per() == null || observed.per().equals(this.limit.per()));
	}

	boolean isAsLargeAs(Observed observed) {
		return observed.limit() == null || observed.limit() == this.limit.amount();
	}

	/** Whether it is a rate of what a refusal speaks of. */
	boolean mayBeMeantBy(ThrottleSignal signal) {
		Counted counts = signal.tripped().counts();
		return this.limit.isRate() && (counts == null || counts == this.limit.counts());
	}

	/** The used share, which may exceed 1 by debt. */
	double utilization(long now) {
		return (double) this.ceiling.used(now) / this.effective;
	}

	/** Whether nothing is used, and refusals have taught nothing that still holds. */
	boolean isIdle(long now) {
		return this.ceiling.used(now) <= 0 && !isSpacedByRefusal(now)
				&& (this.adaptive == null || !this.adaptive.isLowered(now));
	}

	private boolean isSpacedByRefusal(long now) {
		return this.spacing != null && !this.spacing.isConfigured() && !this.spacing.isOver(now);
	}

	static @Nullable MeteredLimit fuller(@Nullable MeteredLimit first, @Nullable MeteredLimit second, long now) {
		if (first == null || second == null) {
			return (first != null) ? first : second;
		}
		return (first.utilization(now) >= second.utilization(now)) ? first : second;
	}

	LimitSnapshot snapshot(long now) {
		return new LimitSnapshot(this.limit, this.effective, this.ceiling.used(now), source());
	}

	private Source source() {
		if (this.adaptive != null && this.adaptive.share() != 1) {
			return Source.ADAPTED;
		}
		return (this.origin == Source.CONFIGURED && this.limit.amount() != this.most) ? Source.LEARNED : this.origin;
	}

}
