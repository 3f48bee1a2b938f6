package io.github.llmratelimit.limit;

import java.time.Duration;
import java.time.Instant;

import io.github.llmratelimit.DailyReset;
import org.jspecify.annotations.Nullable;

/**
 * Counts from reset to reset, at fixed moments of the wall clock. Not thread-safe.
 * <p>
 * Its window begins one slack after the provider's, and what was taken less than a slack
 * before the reset is counted in both windows: it may have arrived in either.
 */
final class FixedWindow implements Ceiling {

	private long ceiling;

	private final Duration per;

	private final long slackNanos;

	private final @Nullable DailyReset dailyReset;

	private final WallTime wallTime;

	private final TimedAmounts taken;

	private final ForeignUse foreign = new ForeignUse();

	private long since;

	private long resetAt = Long.MIN_VALUE;

	private long used;

	private long late;

	/**
	 * Create an empty window.
	 * @param ceiling most that may be taken in a window
	 * @param per length of the window
	 * @param slackNanos how uncertain the moment of the reset is
	 * @param dailyReset time of day of the reset, {@code null} to align with the epoch
	 * @param wallTime relation of the two clocks
	 */
	FixedWindow(long ceiling, Duration per, long slackNanos, @Nullable DailyReset dailyReset, WallTime wallTime) {
		this.ceiling = ceiling;
		this.per = per;
		this.slackNanos = slackNanos;
		this.dailyReset = dailyReset;
		this.wallTime = wallTime;
		this.taken = new TimedAmounts(per.toNanos(), 1);
	}

	@Override
	public long nanosUntil(long amount, long now) {
		roll(now);
		long excess = this.used + Math.min(amount, this.ceiling) - this.ceiling;
		if (excess + this.foreign.at(now) <= 0) {
			return 0;
		}
		boolean fitsNext = this.late + Math.min(amount, this.ceiling) <= this.ceiling;
		long nanos = (fitsNext ? this.resetAt : nextReset(this.resetAt)) + this.slackNanos - now;
		return (excess <= 0) ? Math.min(this.foreign.nanosLeft(now), nanos) : nanos;
	}

	@Override
	public void take(long amount, long now) {
		roll(now);
		this.used += amount;
		if (isLate(now)) {
			this.late += amount;
		}
		this.taken.add(amount, now);
	}

	@Override
	public void correct(long delta, long takenAt) {
		if (takenAt >= this.since) {
			this.used += delta;
			if (isLate(takenAt)) {
				this.late += delta;
			}
			this.taken.correct(delta, takenAt);
		}
	}

	@Override
	public void observe(long remaining, long takenAt, long validNanos, long now) {
		roll(now);
		if (takenAt >= this.since) {
			long own = this.used - this.taken.sum(takenAt + this.slackNanos, now);
			this.foreign.set(this.ceiling - remaining - own, now + validNanos);
		}
	}

	@Override
	public void resize(long ceiling, long now) {
		this.ceiling = ceiling;
	}

	@Override
	public long taken(long from, long to) {
		return this.taken.sum(from, to);
	}

	@Override
	public long used(long now) {
		roll(now);
		return this.used + this.foreign.at(now);
	}

	private boolean isLate(long time) {
		return time >= this.resetAt - this.slackNanos;
	}

	private void roll(long now) {
		if (this.resetAt != Long.MIN_VALUE && now < this.resetAt + this.slackNanos) {
			return;
		}
		boolean next = this.resetAt != Long.MIN_VALUE && nextReset(this.resetAt) > now - this.slackNanos;
		this.used = next ? this.late : 0;
		this.since = next ? this.resetAt - this.slackNanos : now;
		this.late = 0;
		this.taken.removeUntil(this.since - 1);
		this.foreign.set(0, now);
		this.resetAt = nextReset(now - this.slackNanos);
	}

	private long nextReset(long now) {
		Instant instant = this.wallTime.instantAt(now);
		if (this.dailyReset != null) {
			return this.wallTime.nanosAt(this.dailyReset.after(instant));
		}
		long epochNanos = Duration.between(Instant.EPOCH, instant).toNanos();
		return now + this.per.toNanos() - Math.floorMod(epochNanos, this.per.toNanos());
	}

}
