package io.github.llmratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * One ceiling of an account or a model group: what it counts, how much of it, per which
 * window, by which algorithm.
 *
 * @param name name of the limit, unique in its account or model group, for example
 * {@code requests-per-minute}
 * @param counts what is counted
 * @param amount the nominal ceiling, as the provider states it
 * @param per length of the window
 * @param algorithm how the count moves with time
 * @param margin share of the nominal ceiling that is used, above 0 and at most 1
 * @param slack what the window is widened by (and a bucket's capacity lowered by at the
 * rate of the limit), so that a spread of network delays cannot squeeze two windows'
 * calls into one of the provider's
 * @param burst the time whose worth may go at once, {@code null} for all of the limit
 * @param resetsAt the time of day at which a {@linkplain LimitAlgorithm#FIXED_WINDOW
 * fixed window} of a day begins, {@code null} to align windows with the epoch
 */
public record Limit(String name, Counted counts, long amount, Duration per, LimitAlgorithm algorithm, double margin,
		Duration slack, @Nullable Duration burst, @Nullable DailyReset resetsAt) {

	/** What has a longer window is a quota: it is neither spaced nor adapted. */
	public static final Duration LONGEST_RATE = Duration.ofMinutes(1);

	/**
	 * Limits on requests or units below this are too small to give a share of them away.
	 */
	private static final int WHOLE_BELOW = 20;

	public Limit {
		if (amount < 1) {
			throw new IllegalArgumentException(name + ": " + amount + " (expected: > 0)");
		}
		if (per.isNegative() || per.isZero()) {
			throw new IllegalArgumentException(name + ": per " + per + " (expected: > 0)");
		}
		if (!(margin > 0 && margin <= 1)) {
			throw new IllegalArgumentException(name + ": margin " + margin + " (expected: > 0 and <= 1)");
		}
		if (slack.isNegative()) {
			throw new IllegalArgumentException(name + ": slack " + slack + " (expected: >= 0)");
		}
	}

	/**
	 * A limit that is used in full, with no slack and no spacing.
	 * @param name name of the limit
	 * @param counts what is counted
	 * @param amount the ceiling
	 * @param per length of the window
	 * @param algorithm how the count moves with time
	 * @return the limit
	 */
	public static Limit of(String name, Counted counts, long amount, Duration per, LimitAlgorithm algorithm) {
		return new Limit(name, counts, amount, per, algorithm, 1.0, Duration.ZERO, null, null);
	}

	/**
	 * The part of the ceiling that is used: {@code margin} of it, at least 1. Limits on
	 * requests or units under 20 are left whole.
	 * @return the effective ceiling
	 */
	public long effective() {
		return isLeftWhole() ? this.amount : Math.max(1, (long) (this.amount * this.margin));
	}

	/**
	 * Whether the limit is too small to leave a share of it unused.
	 * @return true for requests or units under 20
	 */
	public boolean isLeftWhole() {
		return this.counts.isPlain() && this.amount < WHOLE_BELOW;
	}

	/**
	 * Whether it limits a rate rather than a quota.
	 * @return true if its window is at most a minute
	 */
	public boolean isRate() {
		return this.per.compareTo(LONGEST_RATE) <= 0;
	}

	/**
	 * Whether a call can ever fit. Output that is only guessed is cut to what fits.
	 * @param call the call
	 * @return false if the call is larger than the nominal ceiling
	 */
	public boolean canHold(LlmCall call) {
		TokenEstimate tokens = call.tokens();
		TokenEstimate least = tokens.outputIsGuess() ? tokens.withOutput(0) : tokens;
		return this.counts.of(least, call.units()) <= this.amount;
	}

	/**
	 * The shortest time in which a limit that nobody has used yet can admit this much.
	 * @param total the sum of what is to be admitted
	 * @return nanoseconds until the last of it can go, 0 or more
	 */
	public long nanosToAdmit(long total) {
		long effective = effective();
		if (total <= effective) {
			return 0;
		}
		// A window may hold one call between the effective and the nominal ceiling
		long windows = (total - 1) / this.amount;
		return switch (this.algorithm) {
			case TOKEN_BUCKET -> (long) ((double) (total - effective) / effective * this.per.toNanos());
			case SLIDING_WINDOW -> windows * this.per.toNanos();
			// The first of them may end at once
			case FIXED_WINDOW -> Math.max(0, windows - 1) * this.per.toNanos();
		};
	}

	public Limit withAmount(long amount) {
		return new Limit(this.name, this.counts, amount, this.per, this.algorithm, this.margin, this.slack, this.burst,
				this.resetsAt);
	}

	public Limit withSlack(Duration slack) {
		return new Limit(this.name, this.counts, this.amount, this.per, this.algorithm, this.margin, slack, this.burst,
				this.resetsAt);
	}

	public Limit withMargin(double margin) {
		return new Limit(this.name, this.counts, this.amount, this.per, this.algorithm, margin, this.slack, this.burst,
				this.resetsAt);
	}

	public Limit withBurst(@Nullable Duration burst) {
		return new Limit(this.name, this.counts, this.amount, this.per, this.algorithm, this.margin, this.slack, burst,
				this.resetsAt);
	}

	public Limit withResetsAt(@Nullable DailyReset resetsAt) {
		return new Limit(this.name, this.counts, this.amount, this.per, this.algorithm, this.margin, this.slack,
				this.burst, resetsAt);
	}

}
