package io.github.llmratelimit.limit;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.QueueRules;

/**
 * The part of one limit that is left for interactive calls: a share of it, but no more
 * than such calls have taken in the last window or in this one, so that nothing is left
 * idle where there are none. In the window in which the first ones come it is all of the
 * share. Not thread-safe.
 */
final class Headroom {

	private static final Duration LONGEST_WINDOW = Duration.ofHours(1);

	private final double share;

	private final long perNanos;

	private long windowSince;

	private long last;

	private long current;

	private Headroom(double share, long perNanos) {
		this.share = share;
		this.perNanos = perNanos;
	}

	/**
	 * The headroom of a limit. There is none in windows above an hour, nor in limits that
	 * are too small to give a share of them away.
	 * @param limit the limit
	 * @param rules how large a share of it
	 * @return its headroom
	 */
	static Headroom of(Limit limit, QueueRules rules) {
		boolean none = limit.per().compareTo(LONGEST_WINDOW) > 0 || limit.isLeftWhole();
		return new Headroom(none ? 0 : rules.interactiveHeadroom(), limit.per().toNanos());
	}

	/**
	 * What a claim has to leave over.
	 * @param claim the claim
	 * @param effective the limit as of now
	 * @param now the current time
	 * @return an amount
	 */
	long leftBy(Claim claim, long effective, long now) {
		boolean none = this.last == 0 && this.current == 0;
		if (none || !claim.leavesHeadroom()) {
			return 0;
		}
		roll(now);
		return Math.min((long) (effective * this.share), expected());
	}

	/* After the first ones nobody knows yet how many come in a window. */
	private long expected() {
		return (this.last == 0 && this.current > 0) ? Long.MAX_VALUE : Math.max(this.last, this.current);
	}

	void take(Claim claim, Counted counted, long now) {
		if (this.share != 0 && claim.call().priority() == Priority.INTERACTIVE) {
			roll(now);
			this.current += claim.amount(counted);
		}
	}

	private void roll(long now) {
		long windows = (now - this.windowSince) / this.perNanos;
		if (windows > 0) {
			this.last = (windows == 1) ? this.current : 0;
			this.current = 0;
			this.windowSince += windows * this.perNanos;
		}
	}

}
