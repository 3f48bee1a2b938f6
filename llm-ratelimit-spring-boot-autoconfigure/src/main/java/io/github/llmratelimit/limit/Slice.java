package io.github.llmratelimit.limit;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import org.jspecify.annotations.Nullable;

/**
 * A part of a limit's window. Providers cut theirs into slices and refuse what comes
 * sooner, so calls can be spaced by them.
 *
 * @param units what may be taken in the slice
 * @param nanos its length
 */
record Slice(long units, long nanos) {

	/**
	 * The slice of a limit whose worth may go at once.
	 * @param limit the limit
	 * @param effective what is used of it
	 * @param burst time of the slice, {@code null} for none
	 * @return the slice, {@code null} if calls are not spaced
	 */
	static @Nullable Slice of(Limit limit, long effective, @Nullable Duration burst) {
		if (burst == null || burst.compareTo(limit.per()) >= 0) {
			return null;
		}
		double share = (double) burst.toNanos() / limit.per().toNanos();
		long units = Math.max(1, (long) (effective * share));
		return new Slice(units, (long) ((double) units / effective * limit.per().toNanos()));
	}

	/**
	 * Space calls: requests by a small window, because that is how providers count them;
	 * tokens by a small bucket, because one call may be worth many slices and has to
	 * leave debt. Both are widened by the slack, but at most by a tenth.
	 */
	Ceiling spacing(Limit limit) {
		long widening = Math.min(limit.slack().toNanos(), this.nanos / 10);
		return (limit.counts() == Counted.REQUESTS) ? new SlidingWindow(this.units, this.nanos, widening)
				: new TokenBucket(this.units, this.nanos, widening, limit.per().toNanos());
	}

}
