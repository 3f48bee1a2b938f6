package io.github.llmratelimit.limit;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LimitSnapshot.Source;
import io.github.llmratelimit.ObservedLimits.Observed;
import org.jspecify.annotations.Nullable;

/**
 * One limit with its state: the ceiling itself and, if calls are to be spaced, the
 * spacing. Not thread-safe.
 */
final class MeteredLimit {

	/** The most that announcements can raise the limit to. */
	private final long most;

	/** When counting began: what was taken before is not here. */
	private final long since;

	private Limit limit;

	private final Ceiling ceiling;

	private @Nullable Ceiling spacing;

	private final BlockedBy blockedBy;

	private long observedAt = Long.MIN_VALUE;

	private MeteredLimit(Limit limit, long most, long since, LimitScope scope, WallTime wallTime) {
		this.limit = limit;
		this.most = most;
		this.since = since;
		this.ceiling = ceilingOf(limit, wallTime);
		this.spacing = spacingOf(limit);
		this.blockedBy = new BlockedBy(scope.account(), scope.modelGroup(), limit.name(), limit.counts());
	}

	static MeteredLimit configured(Limit limit, LimitScope scope, WallTime wallTime) {
		return new MeteredLimit(limit, limit.amount(), Long.MIN_VALUE, scope, wallTime);
	}

	static MeteredLimit learned(Limit limit, long now, LimitScope scope, WallTime wallTime) {
		return new MeteredLimit(limit, Long.MAX_VALUE, now, scope, wallTime);
	}

	private static Ceiling ceilingOf(Limit limit, WallTime wallTime) {
		long perNanos = limit.per().toNanos();
		long slackNanos = limit.slack().toNanos();
		return switch (limit.algorithm()) {
			case SLIDING_WINDOW -> new SlidingWindow(limit.effective(), perNanos, slackNanos);
			case TOKEN_BUCKET -> new TokenBucket(limit.effective(), perNanos, slackNanos, perNanos);
			case FIXED_WINDOW ->
				new FixedWindow(limit.effective(), limit.per(), slackNanos, limit.resetsAt(), wallTime);
		};
	}

	/*
	 * Requests are spaced by a small window, because providers cut theirs into slices;
	 * tokens by a small bucket, because one call may be worth many slices and has to
	 * leave debt. Both are widened by the slack, but at most by a tenth.
	 */
	private static @Nullable Ceiling spacingOf(Limit limit) {
		Duration burst = limit.burst();
		if (burst == null || burst.compareTo(limit.per()) >= 0) {
			return null;
		}
		double share = (double) burst.toNanos() / limit.per().toNanos();
		long units = Math.max(1, (long) (limit.effective() * share));
		long nanos = (long) ((double) units / limit.effective() * limit.per().toNanos());
		long widening = Math.min(limit.slack().toNanos(), nanos / 10);
		return (limit.counts() == Counted.REQUESTS) ? new SlidingWindow(units, nanos, widening)
				: new TokenBucket(units, nanos, widening, limit.per().toNanos());
	}

	BlockedBy blockedBy() {
		return this.blockedBy;
	}

	Counted counts() {
		return this.limit.counts();
	}

	boolean canNeverHold(Claim claim) {
		return !this.limit.canHold(claim.call().tokens());
	}

	long nominal() {
		return this.limit.amount();
	}

	/**
	 * Cut guessed output to what the limit can hold.
	 * @param claim a claim whose output is only a guess
	 */
	void fit(Claim claim) {
		long excess = claim.amount(this.limit.counts()) - this.limit.effective();
		if (excess > 0 && this.limit.counts() != Counted.INPUT_TOKENS) {
			claim.cutOutput(excess);
		}
	}

	long nanosUntil(Claim claim, long now) {
		long amount = claim.amount(this.limit.counts());
		if (amount == 0) {
			return 0;
		}
		long nanos = this.ceiling.nanosUntil(amount, now);
		return (this.spacing != null) ? Math.max(nanos, this.spacing.nanosUntil(amount, now)) : nanos;
	}

	/** The time in which the limit admits as much as the claim asks for. */
	long nanosFor(Claim claim) {
		double share = (double) claim.amount(this.limit.counts()) / this.limit.effective();
		return (long) (this.limit.per().toNanos() * share);
	}

	/* Taken even if it is nothing: the call may use something all the same. */
	void take(Claim claim, long now) {
		long amount = claim.amount(this.limit.counts());
		this.ceiling.take(amount, now);
		if (this.spacing != null) {
			this.spacing.take(amount, now);
		}
	}

	void correct(long delta, long takenAt) {
		if (takenAt < this.since) {
			return;
		}
		this.ceiling.correct(delta, takenAt);
		if (this.spacing != null) {
			this.spacing.correct(delta, takenAt);
		}
	}

	/**
	 * Apply an announcement, unless a newer one has been applied.
	 * @param observed what was announced
	 * @param ceiling the announced ceiling to follow, {@code null} to keep the present
	 * one
	 * @param admittedAt when the call was admitted whose response says so
	 * @param now the current time
	 */
	void observe(Observed observed, @Nullable Long ceiling, long admittedAt, long now) {
		if (admittedAt < this.observedAt) {
			return;
		}
		this.observedAt = admittedAt;
		if (ceiling != null) {
			resize(Math.min(ceiling, this.most), now);
		}
		Long remaining = observed.remaining();
		if (remaining != null) {
			lower(observed, remaining, admittedAt, now);
		}
	}

	private void lower(Observed observed, long remaining, long admittedAt, long now) {
		Duration reset = observed.reset();
		Duration valid = (reset != null && reset.compareTo(this.limit.per()) < 0) ? reset : this.limit.per();
		this.ceiling.observe(remaining, admittedAt, valid.toNanos(), now);
	}

	private void resize(long amount, long now) {
		if (amount != this.limit.amount()) {
			this.limit = this.limit.withAmount(amount);
			this.ceiling.resize(this.limit.effective(), now);
			this.spacing = spacingOf(this.limit);
		}
	}

	boolean isMeantBy(Observed observed) {
		return observed.counts() == this.limit.counts()
				&& (observed.per() == null || observed.per().equals(this.limit.per()));
	}

	boolean isAsLargeAs(Observed observed) {
		return observed.limit() == null || observed.limit() == this.limit.amount();
	}

	LimitSnapshot snapshot(long now) {
		return new LimitSnapshot(this.limit, this.limit.effective(), this.ceiling.used(now),
				(this.limit.amount() == this.most) ? Source.CONFIGURED : Source.LEARNED);
	}

}
