package io.github.llmratelimit;

import java.time.Duration;

/**
 * How long a refusal closes a level.
 *
 * @param atLeast the least time, zero to leave the level open
 * @param step the time over which reopening is spread, on top of the least time
 * @param share the part of the step that is waited, from 0 to 1
 */
public record Cooldown(Duration atLeast, Duration step, double share) {

	/** Leaves the level open. */
	public static final Cooldown NONE = of(Duration.ZERO);

	/**
	 * A cooldown that is not spread.
	 * @param length its length
	 * @return the cooldown
	 */
	public static Cooldown of(Duration length) {
		return new Cooldown(length, Duration.ZERO, 0);
	}

	/**
	 * Whether the level stays open.
	 * @return true if there is no least time
	 */
	public boolean isNone() {
		return this.atLeast.isZero();
	}

	/**
	 * This cooldown with a floor under it that the least time may not reach.
	 * @param floor the floor
	 * @return a cooldown that lasts as long at least, and is spread in the same way
	 */
	public Cooldown atLeast(Duration floor) {
		return (this.atLeast.compareTo(floor) >= 0) ? this : new Cooldown(floor, this.step, this.share);
	}

	/**
	 * This cooldown, spread over a time, but not over more than its own least time.
	 * @param time the time
	 * @param share the part of it that is waited, from 0 to 1
	 * @return a cooldown that lasts as long at least
	 */
	public Cooldown spreadOver(Duration time, double share) {
		return new Cooldown(this.atLeast, (time.compareTo(this.atLeast) < 0) ? time : this.atLeast, share);
	}

	/**
	 * This cooldown, spread over a time if that is longer.
	 * @param time the time
	 * @return a cooldown that lasts as long at least
	 */
	public Cooldown spreadOver(Duration time) {
		return (time.compareTo(this.step) > 0) ? spreadOver(time, this.share) : this;
	}

	public Cooldown withShare(double share) {
		return new Cooldown(this.atLeast, this.step, share);
	}

	/**
	 * The whole length.
	 * @return the least time and the waited part of the step
	 */
	public Duration length() {
		return this.atLeast.plusNanos((long) (this.step.toNanos() * this.share));
	}

}
