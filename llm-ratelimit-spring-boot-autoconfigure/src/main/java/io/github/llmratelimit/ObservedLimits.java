package io.github.llmratelimit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a response says about the limits of its scope.
 *
 * @param limits one entry for each limit the response names
 */
public record ObservedLimits(List<Observed> limits) {

	/** A response that says nothing. */
	public static final ObservedLimits NONE = new ObservedLimits(List.of());

	public ObservedLimits {
		limits = List.copyOf(limits);
	}

	/**
	 * Whether there is nothing to apply.
	 * @return true if no limit is named
	 */
	public boolean isEmpty() {
		return this.limits.isEmpty();
	}

	/**
	 * The lowest ceiling that is announced of the same count and window.
	 * @param observed one of the entries
	 * @return the ceiling, {@code null} if none is known, or its window is not
	 */
	public @Nullable Long ceilingOf(Observed observed) {
		Long lowest = null;
		for (Observed other : this.limits) {
			Long ceiling = other.isOfSameWindow(observed) ? other.limit() : null;
			if (ceiling != null && ceiling > 0 && (lowest == null || ceiling < lowest)) {
				lowest = ceiling;
			}
		}
		return lowest;
	}

	/**
	 * One limit as a response shows it. Absent values are unknown, never 0.
	 *
	 * @param counts what the limit counts
	 * @param per its window, {@code null} if the response does not say
	 * @param limit its ceiling
	 * @param remaining what is left of it
	 * @param reset the time until it is whole again, seen from the response
	 */
	public record Observed(Counted counts, @Nullable Duration per, @Nullable Long limit, @Nullable Long remaining,
			@Nullable Duration reset) {

		private boolean isOfSameWindow(Observed other) {
			return this.per != null && this.per.equals(other.per) && this.counts == other.counts;
		}

	}

}
