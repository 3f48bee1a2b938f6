package io.github.llmratelimit.admission;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.Priority;

import static io.github.llmratelimit.Priority.BATCH;
import static io.github.llmratelimit.Priority.INTERACTIVE;
import static io.github.llmratelimit.Priority.NORMAL;

/**
 * In which order the classes of calls go: as urgent as they are, unless normal and batch
 * calls together have got less than their share of the tokens of this minute and the last
 * one, or batch calls less than the same share of theirs. Before a whole minute has been
 * seen, nobody has got too little. Not thread-safe: it belongs to the drain.
 * <p>
 * So nobody starves: after a minute in which higher classes took everything, a lower
 * class goes first until it has got its share of two minutes.
 */
final class Shares {

	private static final long WINDOW = TimeUnit.MINUTES.toNanos(1);

	private static final int CLASSES = Priority.values().length;

	private static final List<Priority> INTERACTIVE_NORMAL_BATCH = List.of(INTERACTIVE, NORMAL, BATCH);

	private static final List<Priority> INTERACTIVE_BATCH_NORMAL = List.of(INTERACTIVE, BATCH, NORMAL);

	private static final List<Priority> NORMAL_BATCH_INTERACTIVE = List.of(NORMAL, BATCH, INTERACTIVE);

	private static final List<Priority> BATCH_NORMAL_INTERACTIVE = List.of(BATCH, NORMAL, INTERACTIVE);

	private final double share;

	private final long[] last = new long[CLASSES];

	private final long[] current = new long[CLASSES];

	/* Asked for, and not yet decided. */
	private final long[] planned = new long[CLASSES];

	private long windowSince;

	private boolean seenMinute;

	Shares(double share) {
		this.share = share;
	}

	/**
	 * Begin a new plan.
	 * @param now the current time
	 */
	void plan(long now) {
		Arrays.fill(this.planned, 0);
		long windows = (now - this.windowSince) / WINDOW;
		if (windows > 0) {
			roll(windows == 1);
			this.windowSince += windows * WINDOW;
		}
	}

	private void roll(boolean next) {
		System.arraycopy(this.current, 0, this.last, 0, CLASSES);
		Arrays.fill(this.current, 0);
		if (!next) {
			Arrays.fill(this.last, 0);
		}
		this.seenMinute = Arrays.stream(this.last).sum() > 0;
	}

	/**
	 * The order in which the next call of the plan is to be looked for.
	 * @return all classes
	 */
	List<Priority> order() {
		boolean batchFirst = isBelow(of(BATCH), of(NORMAL) + of(BATCH));
		if (areLowBelowTheirs()) {
			return batchFirst ? BATCH_NORMAL_INTERACTIVE : NORMAL_BATCH_INTERACTIVE;
		}
		return batchFirst ? INTERACTIVE_BATCH_NORMAL : INTERACTIVE_NORMAL_BATCH;
	}

	/** Whether a call goes before more urgent ones, if it is of a lower class. */
	boolean areLowBelowTheirs() {
		long low = of(NORMAL) + of(BATCH);
		return isBelow(low, of(INTERACTIVE) + low);
	}

	private boolean isBelow(long own, long all) {
		return this.seenMinute && own < this.share * all;
	}

	void planned(Waiter waiter) {
		this.planned[waiter.call().priority().ordinal()] += weight(waiter);
	}

	void admitted(Waiter waiter) {
		this.current[waiter.call().priority().ordinal()] += weight(waiter);
	}

	private long of(Priority priority) {
		int index = priority.ordinal();
		return this.last[index] + this.current[index] + this.planned[index];
	}

	/* Calls without tokens count as well. */
	private static long weight(Waiter waiter) {
		return Math.max(1, waiter.call().tokens().total());
	}

}
