package io.github.llmratelimit.limit;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Calls in flight, and how many there may be: fewer for a while after the provider has
 * refused one more. Not thread-safe.
 */
final class ConcurrencySlots {

	private static final long LOWERED_FOR = TimeUnit.SECONDS.toNanos(60);

	private int max;

	private int inUse;

	private int lowered = Integer.MAX_VALUE;

	private long loweredUntil;

	ConcurrencySlots(@Nullable Integer max) {
		setMax(max);
	}

	final void setMax(@Nullable Integer max) {
		this.max = (max != null) ? max : Integer.MAX_VALUE;
	}

	boolean isFull(long now) {
		return this.inUse >= this.max || this.inUse >= this.lowered && now < this.loweredUntil;
	}

	void take() {
		this.inUse++;
	}

	void free() {
		this.inUse--;
	}

	/** The provider had no room for one of the calls in flight. */
	void refused(long now) {
		int others = Math.max(1, this.inUse - 1);
		this.lowered = (now < this.loweredUntil) ? Math.min(this.lowered, others) : others;
		this.loweredUntil = now + LOWERED_FOR;
	}

	/** The used share; without a ceiling a very small one, by which to compare. */
	double share() {
		return (double) this.inUse / this.max;
	}

	int inUse() {
		return this.inUse;
	}

	@Nullable Integer max() {
		return (this.max != Integer.MAX_VALUE) ? this.max : null;
	}

}
