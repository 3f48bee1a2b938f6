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

	}

}
