package io.github.llmratelimit.limit;

import org.jspecify.annotations.Nullable;

/**
 * The decision on one claim.
 *
 * @param kind what was decided
 * @param waitNanos how long the claim has to wait at least, in nanoseconds; if it waits
 * for another call to end, then at most, 0 if that is not known
 * @param blockedBy the limit it waits for or can never fit, {@code null} if granted
 * @param ceiling the nominal ceiling of that limit, 0 if it has none
 */
public record Verdict(Kind kind, long waitNanos, @Nullable BlockedBy blockedBy, long ceiling) {

	/** The claim holds what it asked for. */
	public static final Verdict GRANTED = new Verdict(Kind.GRANTED, 0, null, 0);

	/** The claim holds what it asked for, and finds out if a level is open again. */
	public static final Verdict PROBE = new Verdict(Kind.PROBE, 0, null, 0);

	/**
	 * Wait for a time.
	 * @param nanos how long, more than 0
	 * @param blockedBy the limit that is waited for
	 * @return the verdict
	 */
	public static Verdict waitFor(long nanos, BlockedBy blockedBy) {
		return new Verdict(Kind.WAIT, nanos, blockedBy, 0);
	}

	static Verdict waitForRelease(BlockedBy blockedBy) {
		return new Verdict(Kind.WAIT_FOR_RELEASE, 0, blockedBy, 0);
	}

	static Verdict outOfService(long nanos, BlockedBy blockedBy) {
		return new Verdict(Kind.OUT_OF_SERVICE, nanos, blockedBy, 0);
	}

	static Verdict neverFits(BlockedBy blockedBy, long ceiling) {
		return new Verdict(Kind.NEVER_FITS, 0, blockedBy, ceiling);
	}

	/**
	 * Wait here or there, whichever ends first. Nobody knows when a call ends, but how
	 * long to wait for it at most.
	 * @param other the verdict there
	 * @return the verdict on both
	 */
	public Verdict or(Verdict other) {
		Verdict shorter = isShorterThan(other) ? this : other;
		Verdict longer = (shorter == this) ? other : this;
		if (longer.kind != Kind.WAIT_FOR_RELEASE) {
			return shorter;
		}
		long atMost = (shorter.waitNanos == 0 || longer.waitNanos == 0) ? shorter.waitNanos + longer.waitNanos
				: Math.min(shorter.waitNanos, longer.waitNanos);
		return new Verdict(Kind.WAIT_FOR_RELEASE, atMost, longer.blockedBy, 0);
	}

	/**
	 * Whether the claim was granted.
	 * @return true if it holds what it asked for
	 */
	public boolean isGranted() {
		return this.kind == Kind.GRANTED || this.kind == Kind.PROBE;
	}

	/**
	 * Whether this verdict ends sooner: a known wait before one that ends at an unknown
	 * moment, before never.
	 * @param other the other verdict
	 * @return true if it is the shorter one
	 */
	public boolean isShorterThan(Verdict other) {
		int order = this.kind.compareTo(other.kind);
		return (order != 0) ? order < 0 : this.waitNanos < other.waitNanos;
	}

	static @Nullable Verdict longer(@Nullable Verdict first, @Nullable Verdict second) {
		if (first == null || second == null) {
			return (first != null) ? first : second;
		}
		return first.isShorterThan(second) ? second : first;
	}

	/**
	 * What was decided, the most lasting last.
	 */
	public enum Kind {

		/** The claim holds what it asked for. */
		GRANTED,

		/** So it does, and its call finds out whether a closed level is open again. */
		PROBE,

		/** It holds nothing and has to wait for a known time. */
		WAIT,

		/** It holds nothing and has to wait until another call ends. */
		WAIT_FOR_RELEASE,

		/** It is not worth waiting for: a quota is used up, or the account is locked. */
		OUT_OF_SERVICE,

		/** It can never be granted. */
		NEVER_FITS

	}

}
