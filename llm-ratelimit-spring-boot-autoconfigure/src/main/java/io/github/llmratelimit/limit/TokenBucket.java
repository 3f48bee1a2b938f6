package io.github.llmratelimit.limit;

/**
 * A bucket that is refilled continuously. Not thread-safe.
 * <p>
 * Its level is the moment at which it will be full again if nothing more is taken; one
 * unit is worth {@code per / limit} of time, so that no level has to be updated as time
 * passes. What was taken when is kept for corrections and announcements.
 */
final class TokenBucket implements Ceiling {

	private final long perNanos;

	private long ceiling;

	private double nanosPerUnit;

	private final long slackNanos;

	private final long keptNanos;

	private final long capacityNanos;

	private final TimedAmounts taken;

	private long fullAt = Long.MIN_VALUE / 2;

	/**
	 * Create a full bucket.
	 * @param ceiling what it holds and what is refilled per window
	 * @param perNanos length of the window
	 * @param slackNanos the capacity is lowered by what is refilled in this time
	 * @param keptNanos how long it is remembered what was taken when
	 */
	TokenBucket(long ceiling, long perNanos, long slackNanos, long keptNanos) {
		this.perNanos = perNanos;
		this.ceiling = ceiling;
		this.nanosPerUnit = (double) perNanos / ceiling;
		this.slackNanos = slackNanos;
		this.keptNanos = keptNanos;
		this.capacityNanos = Math.max(0, perNanos - slackNanos);
		this.taken = new TimedAmounts(keptNanos, 1);
	}

	@Override
	public long nanosUntil(long amount, long now) {
		long excess = missing(now) + Math.min(nanosOf(amount), this.capacityNanos) - this.capacityNanos;
		return Math.max(0, excess);
	}

	@Override
	public void take(long amount, long now) {
		this.fullAt = now + missing(now) + nanosOf(amount);
		if (this.taken.isFull()) {
			this.taken.removeUntil(now - this.keptNanos);
		}
		this.taken.add(amount, now);
	}

	/*
	 * Given back is what would be missing less now if it had never been taken. A later
	 * call that found the bucket nearly full shows that the rest was refilled meanwhile:
	 * it must not be given twice.
	 */
	@Override
	public void correct(long delta, long takenAt) {
		long nanos = (long) Math.ceil(delta * this.nanosPerUnit);
		this.fullAt += Math.max(nanos, -leastMissingAfter(takenAt));
		this.taken.correct(delta, takenAt);
	}

	/*
	 * The announced level was refilled since, and lowered by the calls admitted since.
	 * Calls admitted within the slack may have arrived before the one that was answered,
	 * so they are taken as counted already. The slack itself stays in reserve.
	 */
	@Override
	public void observe(long remaining, long takenAt, long validNanos, long now) {
		long announced = Math.min(nanosOf(this.ceiling - remaining), validNanos);
		long admittedSince = nanosOf(this.taken.sum(takenAt + this.slackNanos, now));
		long missing = announced + admittedSince - (now - takenAt);
		this.fullAt = Math.max(this.fullAt, now + missing);
	}

	@Override
	public void resize(long ceiling, long now) {
		double units = missing(now) / this.nanosPerUnit;
		this.ceiling = ceiling;
		this.nanosPerUnit = (double) this.perNanos / ceiling;
		this.fullAt = now + (long) Math.ceil(units * this.nanosPerUnit);
	}

	@Override
	public long taken(long from, long to) {
		return this.taken.sum(from, to);
	}

	@Override
	public long used(long now) {
		return (long) (missing(now) / this.nanosPerUnit);
	}

	private long missing(long now) {
		return (this.fullAt > now) ? this.fullAt - now : 0;
	}

	/* Undoes the calls after the moment, newest first. */
	private long leastMissingAfter(long time) {
		long least = Long.MAX_VALUE;
		long full = this.fullAt;
		for (int later = this.taken.size() - 1; later >= 0 && this.taken.timeAt(later) > time; later--) {
			full -= nanosOf(this.taken.amountAt(later));
			boolean firstOfMoment = later == 0 || this.taken.timeAt(later - 1) < this.taken.timeAt(later);
			if (firstOfMoment) {
				least = Math.min(least, full - this.taken.timeAt(later));
			}
			if (least <= 0) {
				return 0;
			}
		}
		return least;
	}

	private long nanosOf(long amount) {
		return (long) Math.ceil(amount * this.nanosPerUnit);
	}

}
