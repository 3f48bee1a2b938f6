package io.github.llmratelimit.limit;

import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.AdaptiveRules;

/**
 * The share of a limit that is used while the provider does not announce the limit:
 * additive increase while calls wait for it, multiplicative decrease with each burst of
 * refusals. Not thread-safe.
 */
final class AdaptiveRate {

	/** Whatever happens, something is tried. */
	private static final double LEAST = 0.01;

	/** An announcement is believed for so long. */
	private static final long LATELY = TimeUnit.MINUTES.toNanos(1);

	private static final long NEVER = Long.MIN_VALUE;

	private final AdaptiveRules rules;

	private final double most;

	private double share;

	private long quietSince = NEVER;

	private long cutAt = NEVER;

	private long announcedAt = NEVER;

	/**
	 * Begin.
	 * @param rules how the share moves
	 * @param start the share at first
	 * @param most the largest share
	 */
	AdaptiveRate(AdaptiveRules rules, double start, double most) {
		this.rules = rules;
		this.share = start;
		this.most = most;
	}

	double share() {
		return this.share;
	}

	/** Whether it was cut not long ago. */
	boolean isLowered(long now) {
		return this.cutAt > now - Level.REMEMBERED_FOR && this.share < this.rules.start();
	}

	/** The provider has announced the limit: there is nothing to find out. */
	void announced(long now) {
		this.announcedAt = now;
		this.share = 1;
	}

	private boolean isAnnounced(long now) {
		return this.announcedAt != NEVER && now - this.announcedAt < LATELY;
	}

	/**
	 * A call was refused. Refusals of calls that were admitted before the last cut say
	 * nothing about what has been used since.
	 * @param admittedAt when it was admitted
	 * @param now the current time
	 * @return whether the share is smaller from now on
	 */
	boolean cut(long admittedAt, long now) {
		this.quietSince = now;
		if (admittedAt <= this.cutAt || isAnnounced(now)) {
			return false;
		}
		this.cutAt = now;
		this.share = Math.max(LEAST, this.share * (1 - this.rules.decrease()));
		return true;
	}

	/**
	 * A call has to wait for the limit.
	 * @return whether the share is larger from now on
	 */
	boolean grow(long now) {
		if (this.quietSince == NEVER) {
			this.quietSince = now;
		}
		if (nanosUntilGrowth(now) > 0) {
			return false;
		}
		this.quietSince = now;
		this.share = Math.min(this.most, this.share + this.rules.increase());
		return true;
	}

	/** How long a call waits at most before the limit may be larger. */
	long nanosUntilGrowth(long now) {
		return (this.share < this.most && !isAnnounced(now))
				? Math.max(0, this.quietSince + this.rules.every().toNanos() - now) : Long.MAX_VALUE;
	}

}
