package io.github.llmratelimit;

import java.time.Duration;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What a provider's answer means for the caller's limits.
 *
 * @param outcome how the call ended
 * @param tripped which limit was hit, {@link Tripped#NONE} if none
 * @param hint how long the provider says to wait, {@code null} if it does not; never
 * negative
 * @param reason the provider's own words in short, without secrets, or {@code null}
 * @param level whose quota is used up, {@code null} if it is not said or none is
 */
public record ThrottleSignal(CallOutcome outcome, Tripped tripped, @Nullable Duration hint, @Nullable String reason,
		@Nullable Level level) {

	/** An answer. */
	public static final ThrottleSignal SUCCESS = of(CallOutcome.SUCCESS);

	/**
	 * A signal that names no level.
	 * @param outcome how the call ended
	 * @param tripped which limit was hit
	 * @param hint how long to wait, {@code null} if unknown
	 * @param reason the provider's words
	 */
	public ThrottleSignal(CallOutcome outcome, Tripped tripped, @Nullable Duration hint, @Nullable String reason) {
		this(outcome, tripped, hint, reason, null);
	}

	/**
	 * An outcome that no limit has caused.
	 * @param outcome how the call ended
	 * @return the signal
	 */
	public static ThrottleSignal of(CallOutcome outcome) {
		return new ThrottleSignal(outcome, Tripped.NONE, null, null);
	}

	/**
	 * A refusal because of a rate.
	 * @param tripped which limit was hit
	 * @param hint how long to wait, {@code null} if unknown
	 * @param reason the provider's words
	 * @return the signal
	 */
	public static ThrottleSignal throttled(Tripped tripped, @Nullable Duration hint, @Nullable String reason) {
		return new ThrottleSignal(CallOutcome.THROTTLED, tripped, hint, reason);
	}

	/**
	 * What was refused, in a few words.
	 * @return the provider's own words if there are any
	 */
	public String describe() {
		String what = (this.tripped != Tripped.NONE) ? this.tripped.name() : this.outcome.name();
		String words = what.toLowerCase(Locale.ROOT).replace('_', ' ');
		return (this.reason != null) ? words + " (" + this.reason + ")" : words;
	}

	/**
	 * Whether it passes by itself: a rate or a want of capacity.
	 * @return true if waiting helps
	 */
	public boolean isTransient() {
		return this.outcome == CallOutcome.THROTTLED || this.outcome == CallOutcome.OVERLOADED;
	}

	/**
	 * Whether calls came too fast, rather than too many at once or to a provider without
	 * capacity.
	 * @return true if a lower rate helps
	 */
	public boolean isAboutRate() {
		return this.outcome == CallOutcome.THROTTLED && this.tripped != Tripped.CONCURRENCY;
	}

	/**
	 * Whose quota is used up.
	 */
	public enum Level {

		/** That of one model. */
		MODEL,

		/** That of one key. */
		KEY,

		/** That of the account, and so of all its keys and models. */
		ACCOUNT

	}

	/**
	 * The limit that a refusal names.
	 */
	public enum Tripped {

		/** None: the answer is not about limits. */
		NONE(null),

		/** A limit, but which one is not said. */
		UNKNOWN(null),

		/** Calls in flight. */
		CONCURRENCY(null),

		/** A limit on requests. */
		REQUESTS(Counted.REQUESTS),

		/** A limit on tokens. */
		TOKENS(Counted.TOKENS),

		/** A limit on input tokens. */
		INPUT_TOKENS(Counted.INPUT_TOKENS),

		/** A limit on output tokens. */
		OUTPUT_TOKENS(Counted.OUTPUT_TOKENS);

		private final @Nullable Counted counts;

		Tripped(@Nullable Counted counts) {
			this.counts = counts;
		}

		/**
		 * What the tripped limit counts.
		 * @return the count, {@code null} if unknown or not a count over time
		 */
		public @Nullable Counted counts() {
			return this.counts;
		}

	}

}
