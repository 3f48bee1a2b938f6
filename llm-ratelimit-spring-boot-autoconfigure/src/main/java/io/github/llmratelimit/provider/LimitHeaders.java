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
 */
public record LimitHeaders(Counted counts, @Nullable Duration per, String limit, String remaining, String reset) {

	private static final List<Duration> WINDOWS = List.of(Duration.ofSeconds(1), Duration.ofMinutes(1),
			Duration.ofHours(1), Duration.ofDays(1));

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
				prefix + "-reset" + suffix);
	}

	/** The limit as the response shows it, {@code null} if it does not. */
	@Nullable Observed read(ResponseHead head, DurationText durations) {
		String ceilings = head.header(this.limit);
		Long amount = number(ceilings);
		Long left = number(head.header(this.remaining));
		if (amount == null && left == null) {
			return null;
		}
		Duration whole = durations.parse(head.header(this.reset));
		Duration window = (ceilings != null && ceilings.indexOf(';') > 0) ? statedWindow(ceilings, amount)
				: refillWindow(amount, left, whole);
		return new Observed(this.counts, (window != null) ? window : this.per, amount, left, whole);
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

	private static @Nullable Duration statedWindow(String ceilings, @Nullable Long amount) {
		for (String ceiling : ceilings.split(",", 16)) {
			int window = ceiling.indexOf(";w=");
			Decimal seconds = (window > 0) ? Decimal.at(ceiling, window + 3) : null;
			if (seconds != null && amount != null && amount.equals(number(ceiling.strip()))) {
				return seconds.times(Duration.ofSeconds(1));
			}
		}
		return null;
	}

	/**
	 * The window by which a limit that is refilled continuously betrays itself: what is
	 * missing of it comes back within the time until it is whole.
	 */
	private @Nullable Duration refillWindow(@Nullable Long amount, @Nullable Long left, @Nullable Duration whole) {
		if (this.per == null || amount == null || left == null || whole == null || left >= amount) {
			return null;
		}
		double seconds = (whole.toSeconds() + whole.getNano() / 1e9) * amount / (amount - left);
		for (Duration window : WINDOWS) {
			if (Math.abs(seconds / window.toSeconds() - 1) < 0.05) {
				return window;
			}
		}
		return null;
	}

}
