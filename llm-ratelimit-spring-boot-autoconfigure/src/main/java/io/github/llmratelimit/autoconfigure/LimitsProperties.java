package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of an account or a model group; what is not set is not limited.
 *
 * @param requestsPerSecond Requests per second.
 * @param requestsPerMinute Requests per minute.
 * @param requestsPerHour Requests per hour.
 * @param requestsPerDay Requests per day.
 * @param tokensPerMinute Tokens per minute, input and output together.
 * @param tokensPerHour Tokens per hour, input and output together.
 * @param tokensPerDay Tokens per day, input and output together.
 * @param inputTokensPerMinute Input tokens per minute.
 * @param outputTokensPerMinute Output tokens per minute.
 * @param maxConcurrency Number of calls in flight at once.
 * @param windows Limits of any other kind or window.
 */
record LimitsProperties(@Nullable Long requestsPerSecond, @Nullable Long requestsPerMinute,
		@Nullable Long requestsPerHour, @Nullable Long requestsPerDay, @Nullable Long tokensPerMinute,
		@Nullable Long tokensPerHour, @Nullable Long tokensPerDay, @Nullable Long inputTokensPerMinute,
		@Nullable Long outputTokensPerMinute, @Nullable Integer maxConcurrency, @DefaultValue List<Window> windows) {

	/** Nothing is limited. */
	static final LimitsProperties NONE = new LimitsProperties(null, null, null, null, null, null, null, null, null,
			null, List.of());

	/** The limits that have a key of their own. */
	static final List<Named> NAMED = List.of(
			new Named("requests-per-second", Counted.REQUESTS, Duration.ofSeconds(1),
					LimitsProperties::requestsPerSecond),
			new Named("requests-per-minute", Counted.REQUESTS, Duration.ofMinutes(1),
					LimitsProperties::requestsPerMinute),
			new Named("requests-per-hour", Counted.REQUESTS, Duration.ofHours(1), LimitsProperties::requestsPerHour),
			new Named("requests-per-day", Counted.REQUESTS, Duration.ofDays(1), LimitsProperties::requestsPerDay),
			new Named("tokens-per-minute", Counted.TOKENS, Duration.ofMinutes(1), LimitsProperties::tokensPerMinute),
			new Named("tokens-per-hour", Counted.TOKENS, Duration.ofHours(1), LimitsProperties::tokensPerHour),
			new Named("tokens-per-day", Counted.TOKENS, Duration.ofDays(1), LimitsProperties::tokensPerDay),
			new Named("input-tokens-per-minute", Counted.INPUT_TOKENS, Duration.ofMinutes(1),
					LimitsProperties::inputTokensPerMinute),
			new Named("output-tokens-per-minute", Counted.OUTPUT_TOKENS, Duration.ofMinutes(1),
					LimitsProperties::outputTokensPerMinute));

	/** The key of a limit, or what comes closest to one. */
	static String keyOf(Counted counts, Duration per) {
		for (Named named : NAMED) {
			if (named.counts() == counts && named.per().equals(per)) {
				return named.key();
			}
		}
		return LimitRules.nameOf(counts, per);
	}

	LimitsProperties or(LimitsProperties inherited) {
		return new LimitsProperties(Inheritance.first(this.requestsPerSecond, inherited.requestsPerSecond),
				Inheritance.first(this.requestsPerMinute, inherited.requestsPerMinute),
				Inheritance.first(this.requestsPerHour, inherited.requestsPerHour),
				Inheritance.first(this.requestsPerDay, inherited.requestsPerDay),
				Inheritance.first(this.tokensPerMinute, inherited.tokensPerMinute),
				Inheritance.first(this.tokensPerHour, inherited.tokensPerHour),
				Inheritance.first(this.tokensPerDay, inherited.tokensPerDay),
				Inheritance.first(this.inputTokensPerMinute, inherited.inputTokensPerMinute),
				Inheritance.first(this.outputTokensPerMinute, inherited.outputTokensPerMinute),
				Inheritance.first(this.maxConcurrency, inherited.maxConcurrency),
				Inheritance.first(this.windows, inherited.windows));
	}

	/**
	 * A limit that has a key of its own.
	 *
	 * @param key the key, which is also the limit's name
	 * @param counts what it counts
	 * @param per its window
	 * @param amount reads what is set
	 */
	record Named(String key, Counted counts, Duration per, Function<LimitsProperties, @Nullable Long> amount) {

		@Nullable Long in(LimitsProperties limits) {
			return this.amount.apply(limits);
		}

	}

	/**
	 * A limit of any kind and window.
	 *
	 * @param counts What is counted.
	 * @param limit Ceiling of the count.
	 * @param per Length of the window.
	 * @param algorithm How the limit counts over time.
	 * @param slack Time by which the window is widened, whatever its length.
	 * @param resetsAt Time of day and zone at which a fixed window of a day begins, for
	 * example 00:00 America/Los_Angeles.
	 */
	record Window(@Nullable Counted counts, @Nullable Long limit, @Nullable Duration per,
			@Nullable LimitAlgorithm algorithm, @Nullable Duration slack, @Nullable String resetsAt) {

	}

}
