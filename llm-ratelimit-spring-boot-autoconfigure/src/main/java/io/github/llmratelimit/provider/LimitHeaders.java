package io.github.llmratelimit.provider;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.ObservedLimits.Observed;

/**
 * The headers in which one limit is announced.
 *
 * @param counts what the limit counts
 * @param per its window, {@code null} if the name of the headers does not say
 * @param limit header with the ceiling, possibly followed by other ceilings with their
 * windows, as in {@code 1000, 1000;w=1, 60000;w=60}
 * @param remaining header with what is left
 * @param reset header with the time until it is whole again
 * @param policy header with the ceilings and their windows, {@code null} if there is none
 */
public record LimitHeaders(Counted counts, @Nullable Duration per, String limit, String remaining, String reset,
		@Nullable String policy) {

	/** Windows that a limit may have other than the usual one. */
	private static final List<Duration> LONG_WINDOWS = List.of(Duration.ofHours(1), Duration.ofDays(1));

	/** A limit per minute is whole again after this time, however the provider counts. */
	private static final Duration MINUTE = Duration.ofSeconds(61);

	/**
	 * Headers called {@code prefix-limit-suffix}, {@code prefix-remaining-suffix} and
	 * {@code prefix-reset-suffix}.
	 * @param counts what the limit counts
	 * @param per its window, {@code null} if the names do not say
	 * @param prefix beginning of the names, in lower case
	 * @param suffix end of the names
	 * @return the headers
	 */
	public static LimitHeaders of(Counted counts, @Nullable Duration per, String prefix, String suffix) {
		return new LimitHeaders(counts, per, prefix + "-limit" + suffix, prefix + "-remaining" + suffix,
				prefix + "-reset" + suffix, null);
	}

	/**
	 * The three fields of the IETF's drafts before -07.
	 * @return the headers
	 */
	public static LimitHeaders standard() {
		return new LimitHeaders(Counted.REQUESTS, null, "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset",
				"ratelimit-policy");
	}

	/** Adds the limit, and further ceilings, as far as the response shows them. */
	void read(ResponseHead head, DurationText durations, List<Observed> limits) {
		String ceilings = head.header(this.limit);
		Long amount = number(ceilings);
		Long left = number(head.header(this.remaining));
		if (amount == null && left == null) {
			return;
		}
		Duration whole = durations.parse(head.header(this.reset));
		List<Policy> policies = policies(head, ceilings);
		Duration window = policies.isEmpty() ? refillWindow(amount, left, whole) : statedWindow(policies, amount);
		limits.add(new Observed(this.counts, (window != null) ? window : this.per, amount, left, whole));
		for (Policy policy : policies) {
			if (policy.per() != null && !policy.per().equals(window)) {
				limits.add(policy.ceiling(this.counts));
			}
		}
	}

	/** Adds the reset of a limit of which nothing else is shown. */
	void readReset(ResponseHead head, DurationText durations, List<Observed> limits) {
		if (head.header(this.limit) == null && head.header(this.remaining) == null) {
			Duration reset = durations.parse(head.header(this.reset));
			if (reset != null) {
				limits.add(new Observed(this.counts, this.per, null, null, reset));
			}
		}
	}

	/** The number that a value is or begins with, if more follows as in a list. */
	private static @Nullable Long number(@Nullable String text) {
		Decimal number = (text != null) ? Decimal.at(text, 0) : null;
		if (text == null || number == null) {
			return null;
		}
		boolean alone = number.end() == text.length() || ",; ".indexOf(text.charAt(number.end())) >= 0;
		return alone ? number.whole() : null;
	}

	private List<Policy> policies(ResponseHead head, @Nullable String ceilings) {
		if (ceilings != null && ceilings.indexOf(';') > 0) {
			return Policy.in(ceilings);
		}
		return (this.policy != null) ? Policy.in(head.header(this.policy)) : List.of();
	}

	private static @Nullable Duration statedWindow(List<Policy> policies, @Nullable Long amount) {
		return policies.stream()
			.filter((policy) -> policy.per() != null && amount != null && policy.quota() == amount)
			.findFirst()
			.map(Policy::per)
			.orElse(null);
	}

	/**
	 * The window by which a limit of requests that is refilled continuously betrays
	 * itself: what is missing of it comes back within the time until it is whole. The
	 * same headers announce requests per minute to some accounts and per day to others.
	 * What is back within a minute says nothing: it may be a window that slides.
	 */
	private @Nullable Duration refillWindow(@Nullable Long amount, @Nullable Long left, @Nullable Duration whole) {
		if (this.per == null || this.counts != Counted.REQUESTS || amount == null || left == null || whole == null
				|| left >= amount || whole.compareTo(MINUTE) <= 0) {
			return null;
		}
		double seconds = (whole.toSeconds() + whole.getNano() / 1e9) * amount / (amount - left);
		for (Duration window : LONG_WINDOWS) {
			if (Math.abs(seconds / window.toSeconds() - 1) < 0.05) {
				return window;
			}
		}
		return null;
	}

}
