package io.github.llmratelimit.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A limit worked out from the whole history each time, the slow and obvious way: the
 * judge of the real ones.
 */
abstract class Oracle {

	protected final List<Taken> history = new ArrayList<>();

	/**
	 * The earliest moment, from now on, at which an amount may be taken.
	 */
	final long earliest(long amount, long now) {
		if (amount == 0) {
			return now;
		}
		return LongStream.concat(LongStream.of(now), candidates(amount, now))
			.filter((moment) -> moment >= now)
			.sorted()
			.filter((moment) -> isFree(amount, moment))
			.findFirst()
			.orElseThrow();
	}

	final void take(Object call, long amount, long now) {
		this.history.add(new Taken(call, now, amount));
	}

	final void correct(Object call, long delta) {
		this.history.replaceAll((taken) -> (taken.call == call) ? taken.plus(delta) : taken);
	}

	/** Forget what can no longer matter, so that long schedules stay quick. */
	final void forgetBefore(long moment) {
		this.history.removeIf((taken) -> taken.at < moment);
	}

	protected final long largest() {
		return this.history.stream().mapToLong(Taken::amount).max().orElse(0);
	}

	protected final long sum(long from, long until) {
		return this.history.stream()
			.filter((taken) -> taken.at >= from && taken.at < until)
			.mapToLong(Taken::amount)
			.sum();
	}

	/**
	 * Assert over the whole history that no interval saw more than it may.
	 */
	final void assertNeverExceeded(String description) {
		for (int from = 0; from < this.history.size(); from++) {
			long start = this.history.get(from).at;
			long sum = 0;
			for (int to = from; to < this.history.size(); to++) {
				sum += this.history.get(to).amount;
				assertThat(sum).as(description).isLessThanOrEqualTo(most(this.history.get(to).at - start));
			}
		}
	}

	/** The most that may be taken in an interval; its ends belong to it. */
	protected abstract long most(long length);

	protected abstract boolean isFree(long amount, long moment);

	protected abstract LongStream candidates(long amount, long now);

	record Taken(Object call, long at, long amount) {

		Taken plus(long delta) {
			return new Taken(this.call, this.at, this.amount + delta);
		}

	}

	/**
	 * Never more than the ceiling in any window, wherever it begins.
	 */
	static final class Window extends Oracle {

		private final long ceiling;

		private final long window;

		Window(long ceiling, long window) {
			this.ceiling = ceiling;
			this.window = window;
		}

		@Override
		protected boolean isFree(long amount, long moment) {
			long used = sum(moment - this.window + 1, moment + 1);
			return used + Math.min(amount, this.ceiling) <= this.ceiling;
		}

		@Override
		protected LongStream candidates(long amount, long now) {
			return this.history.stream().mapToLong((taken) -> taken.at + this.window);
		}

		@Override
		protected long most(long length) {
			return (length < this.window) ? Math.max(this.ceiling, largest()) : Long.MAX_VALUE;
		}

	}

	/**
	 * Replays a bucket from its first call on. Its rate is one unit in a whole number of
	 * nanoseconds.
	 */
	static final class Bucket extends Oracle {

		private final long nanosPerUnit;

		private final long capacityNanos;

		Bucket(long ceiling, long per, long slack) {
			this.nanosPerUnit = per / ceiling;
			this.capacityNanos = per - slack;
		}

		private long missing(long moment) {
			long missing = 0;
			long last = 0;
			for (Taken taken : this.history) {
				missing = Math.max(0, missing - (taken.at - last)) + taken.amount * this.nanosPerUnit;
				last = taken.at;
			}
			return Math.max(0, missing - (moment - last));
		}

		@Override
		protected boolean isFree(long amount, long moment) {
			long wanted = Math.min(amount * this.nanosPerUnit, this.capacityNanos);
			return missing(moment) + wanted <= this.capacityNanos;
		}

		@Override
		protected LongStream candidates(long amount, long now) {
			long wanted = Math.min(amount * this.nanosPerUnit, this.capacityNanos);
			return LongStream.of(now + missing(now) + wanted - this.capacityNanos);
		}

		@Override
		protected long most(long length) {
			return Math.max(this.capacityNanos / this.nanosPerUnit, largest()) + length / this.nanosPerUnit + 1;
		}

	}

	/**
	 * Counts from reset to reset; what was taken within a slack of a reset belongs to
	 * both sides.
	 */
	static final class Calendar extends Oracle {

		private final long ceiling;

		private final long per;

		private final long slack;

		Calendar(long ceiling, long per, long slack) {
			this.ceiling = ceiling;
			this.per = per;
			this.slack = slack;
		}

		@Override
		protected boolean isFree(long amount, long moment) {
			long reset = Math.floorDiv(moment - this.slack, this.per) * this.per;
			long used = sum(reset - this.slack, reset + this.per + this.slack);
			return used + Math.min(amount, this.ceiling) <= this.ceiling;
		}

		@Override
		protected LongStream candidates(long amount, long now) {
			long reset = Math.floorDiv(now - this.slack, this.per) * this.per;
			return LongStream.rangeClosed(1, 3).map((n) -> reset + n * this.per + this.slack);
		}

		/* Two windows can meet in an interval of any length. */
		@Override
		protected long most(long length) {
			return Math.max(this.ceiling, largest()) * (length / this.per + 2);
		}

	}

}
