package io.github.llmratelimit.limit;

/**
 * Counts what the last window saw. Not thread-safe.
 * <p>
 * What has left the window is looked for only when an amount would not fit, somebody
 * wants to know the level, or the ring would grow: until then the sum is at most too
 * large.
 */
final class SlidingWindow implements Ceiling {

	private long ceiling;

	private final long windowNanos;

	private final long slackNanos;

	/* Kept for two windows: the older one tells what an announcement already counted. */
	private final TimedAmounts taken;

	private int inWindow;

	private long sum;

	private final ForeignUse foreign = new ForeignUse();

	/**
	 * Create an empty window.
	 * @param ceiling most that may be taken in a window
	 * @param perNanos length of the provider's window
	 * @param slackNanos what the window is widened by
	 */
	SlidingWindow(long ceiling, long perNanos, long slackNanos) {
		this.ceiling = ceiling;
		this.windowNanos = perNanos + slackNanos;
		this.slackNanos = slackNanos;
		this.taken = new TimedAmounts(this.windowNanos, 2);
	}

	@Override
	public long nanosUntil(long amount, long now) {
		if (this.sum + amount <= this.ceiling && this.foreign.at(now) == 0) {
			return 0;
		}
		expire(now);
		long excess = this.sum + Math.min(amount, this.ceiling) - this.ceiling;
		long foreign = this.foreign.at(now);
		long alone = nanosUntilFreed(excess, now);
		if (foreign == 0) {
			return alone;
		}
		return Math.min(Math.max(alone, this.foreign.nanosLeft(now)), nanosUntilFreed(excess + foreign, now));
	}

	@Override
	public void take(long amount, long now) {
		if (this.taken.isFull()) {
			expire(now);
		}
		int before = this.taken.size();
		this.taken.add(amount, now);
		this.inWindow += this.taken.size() - before;
		this.sum += amount;
	}

	@Override
	public void correct(long delta, long takenAt) {
		if (this.taken.correct(delta, takenAt)
				&& this.taken.firstAtOrAfter(takenAt) >= this.taken.size() - this.inWindow) {
			this.sum += delta;
		}
	}

	/*
	 * What others have used is what the provider counted at that moment, less our own
	 * calls. Arrivals may be in another order than departures: own calls within the slack
	 * are taken as counted already, so that reordering is never mistaken for others. What
	 * was ours then is what is ours now, less what came since, plus what has left since:
	 * two short sums instead of a whole window at every response.
	 */
	@Override
	public void observe(long remaining, long takenAt, long validNanos, long now) {
		expire(now);
		long since = this.taken.sum(takenAt + this.slackNanos, now);
		long gone = this.taken.sum(takenAt - this.windowNanos, now - this.windowNanos);
		long own = this.sum - since + gone;
		this.foreign.set(this.ceiling - remaining - own, Math.min(takenAt + this.windowNanos, now + validNanos));
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
		expire(now);
		return this.sum + this.foreign.at(now);
	}

	private long nanosUntilFreed(long excess, long now) {
		if (excess <= 0) {
			return 0;
		}
		long freed = 0;
		for (int position = this.taken.size() - this.inWindow; position < this.taken.size(); position++) {
			freed += this.taken.amountAt(position);
			if (freed >= excess) {
				return Math.max(0, this.taken.timeAt(position) + this.windowNanos - now);
			}
		}
		return Long.MAX_VALUE;
	}

	private void expire(long now) {
		int size = this.taken.size();
		while (this.inWindow > 0) {
			int oldest = size - this.inWindow;
			if (now - this.taken.timeAt(oldest) < this.windowNanos) {
				break;
			}
			this.sum -= this.taken.amountAt(oldest);
			this.inWindow--;
		}
		this.taken.removeUntil(now - 2 * this.windowNanos);
	}

}
