package io.github.llmratelimit;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What refusals do to the levels that calls share.
 *
 * @param scope whom a refusal slows down
 * @param ladder pauses after consecutive bursts of refusals, in any order
 * @param recheckAfter how often one call is let through a level that is closed for longer
 * @param ramp whether a level that was closed for some seconds opens by and by
 */
public record ClosingRules(Scope scope, List<Rung> ladder, Duration recheckAfter, boolean ramp) {

	/** The level of the tripped limit; pauses of 30 seconds, two and ten minutes. */
	public static final ClosingRules DEFAULT = new ClosingRules(Scope.LIMIT,
			List.of(new Rung(5, Duration.ofSeconds(30), false), new Rung(10, Duration.ofMinutes(2), false),
					new Rung(20, Duration.ofMinutes(10), true)),
			Duration.ofMinutes(10), true);

	public ClosingRules {
		ladder = ladder.stream().sorted(Comparator.comparingInt(Rung::after).reversed()).toList();
		if (recheckAfter.isNegative() || recheckAfter.isZero()) {
			throw new IllegalArgumentException("recheck-after: " + recheckAfter + " (expected: > 0)");
		}
	}

	/**
	 * The pause that is due after so many bursts.
	 * @param bursts consecutive bursts of refusals
	 * @return the highest rung that is reached, {@code null} if none is
	 */
	public @Nullable Rung rungAfter(int bursts) {
		for (Rung rung : this.ladder) {
			if (bursts >= rung.after()) {
				return rung;
			}
		}
		return null;
	}

	/**
	 * Whom a refusal slows down.
	 */
	public enum Scope {

		/** The refused call alone. */
		REQUEST,

		/** All calls that share the tripped limit; of the account, if it is unknown. */
		LIMIT,

		/** All calls of the account. */
		ACCOUNT,

		/** All calls to the provider. */
		PROVIDER

	}

	/**
	 * A pause.
	 *
	 * @param after number of consecutive bursts of refusals from which on it is due
	 * @param pause how long the level stays closed
	 * @param alert whether somebody should know
	 */
	public record Rung(int after, Duration pause, boolean alert) {

		public Rung {
			if (after < 1) {
				throw new IllegalArgumentException("after: " + after + " (expected: > 0)");
			}
			if (pause.isNegative() || pause.isZero()) {
				throw new IllegalArgumentException("pause: " + pause + " (expected: > 0)");
			}
		}

	}

}
