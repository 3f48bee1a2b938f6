package io.github.llmratelimit.limit;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the calls of a limit apart, because providers cut their windows into slices and
 * refuse what comes sooner. Requests are spaced by a small window, as providers count
 * them; tokens by a small bucket, because one call may be worth many slices and has to
 * leave debt. Not thread-safe.
 */
final class Spacing {

	/** What providers cut their windows into, if they do. */
	private static final Duration SLICE = Duration.ofSeconds(1);

	private final Duration burst;

	private final long until;

	private final Ceiling ceiling;

	private Spacing(Limit limit, Slice slice, Duration burst, long until) {
		this.burst = burst;
		this.until = until;
		long widening = Math.min(limit.slack().toNanos(), slice.nanos() / 10);
		this.ceiling = (limit.counts() == Counted.REQUESTS) ? new SlidingWindow(slice.units(), slice.nanos(), widening)
				: new TokenBucket(slice.units(), slice.nanos(), widening, limit.per().toNanos());
	}

	/** The spacing that a limit asks for, {@code null} if it asks for none. */
	static @Nullable Spacing configured(Limit limit, long effective) {
		return of(limit, effective, limit.burst(), Long.MAX_VALUE);
	}

	private static @Nullable Spacing of(Limit limit, long effective, @Nullable Duration burst, long until) {
		Slice slice = (burst != null) ? Slice.of(limit, effective, burst) : null;
		return (slice != null && burst != null) ? new Spacing(limit, slice, burst, until) : null;
	}

	/**
	 * The spacing that a refusal asks for: it would have kept the refused call apart from
	 * others that were sent shortly before.
	 * @param limit the limit, which had room by our own count
	 * @param effective what is used of it
	 * @param taken what has been taken when
	 * @param claim the claim of the refused call
	 * @param now the current time
	 * @return the spacing, {@code null} if slices do not explain the refusal
	 */
	static @Nullable Spacing recognized(Limit limit, long effective, Ceiling taken, Claim claim, long now) {
		Slice slice = limit.isRate() ? Slice.of(limit, effective, SLICE) : null;
		if (slice == null) {
			return null;
		}
		long sum = taken.taken(claim.admittedAt() - slice.nanos(), claim.admittedAt());
		boolean withOthers = sum > slice.units() && sum > claim.amount(limit.counts());
		return withOthers ? new Spacing(limit, slice, SLICE, now + Level.REMEMBERED_FOR) : null;
	}

	/** The same for a limit that has moved; what was spaced stays so. */
	@Nullable Spacing resized(Limit limit, long effective, long now) {
		Spacing resized = of(limit, effective, this.burst, this.until);
		if (resized != null) {
			resized.take(this.ceiling.used(now), now);
		}
		return resized;
	}

	/** Whether the limit itself asks for it. */
	boolean isConfigured() {
		return this.until == Long.MAX_VALUE;
	}

	boolean isOver(long now) {
		return now >= this.until;
	}

	long nanosUntil(long amount, long now) {
		return this.ceiling.nanosUntil(amount, now);
	}

	void take(long amount, long now) {
		this.ceiling.take(amount, now);
	}

	void correct(long delta, long takenAt) {
		this.ceiling.correct(delta, takenAt);
	}

	/**
	 * A part of a limit's window.
	 *
	 * @param units what may be taken in it
	 * @param nanos its length
	 */
	private record Slice(long units, long nanos) {

		static @Nullable Slice of(Limit limit, long effective, Duration burst) {
			if (burst.compareTo(limit.per()) >= 0) {
				return null;
			}
			double share = (double) burst.toNanos() / limit.per().toNanos();
			long units = Math.max(1, (long) (effective * share));
			return new Slice(units, (long) ((double) units / effective * limit.per().toNanos()));
		}

	}

}
