package io.github.llmratelimit.provider;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.ObservedLimits.Observed;

/**
 * How long a refusal says to wait. The most precise source that can be read counts: what
 * is malformed is skipped, so that the next best is used.
 *
 * @param head status and headers
 * @param error the body
 * @param durations reads durations relative to the response
 * @param resetHeaders headers that say when a quota is reset
 * @param fields limits from the {@code RateLimit} field
 * @param headers limits from other headers
 */
record WaitHint(ResponseHead head, ErrorBody error, DurationText durations, List<String> resetHeaders,
		List<Observed> fields, List<Observed> headers) {

	/** What announces the reset of a quota in a text. */
	private static final List<String> RESET_WORDS = List.of("reset", "replenished", "available again");

	/** When a call that met this limit may go. */
	@Nullable Duration untilAdmitted(Meaning meaning) {
		return retryAfter().or(() -> resetOfEmpty(this.fields, meaning))
			.or(this::delay)
			.or(this::reset)
			.or(this::delayInProse)
			.or(this::dateInProse)
			.or(this::computed)
			.or(() -> resetOfEmpty(this.headers, meaning))
			.orElse(null);
	}

	/** When capacity is back; says nothing about our limits. */
	@Nullable Duration untilCapacity() {
		return retryAfter().or(this::delay).or(this::reset).or(this::delayInProse).or(this::dateInProse).orElse(null);
	}

	/** When a quota is reset. A mere delay is no reset. */
	@Nullable Duration untilQuotaReset() {
		return retryAfter().or(this::resetInHeaders)
			.or(this::reset)
			.or(this::dateInProse)
			.or(this::resetInProse)
			.orElse(null);
	}

	/**
	 * The count of the limits that are used up, if they agree and say what they count.
	 */
	Meaning trippedByHeaders() {
		List<Meaning> empty = Stream.concat(this.fields.stream(), this.headers.stream())
			.filter((limit) -> isEmpty(limit) && limit.per() != null)
			.map((limit) -> Meaning.ofCounted(limit.counts()))
			.distinct()
			.toList();
		return (empty.size() == 1) ? empty.get(0) : Meaning.THROTTLED;
	}

	private Optional<Duration> retryAfter() {
		return Optional.ofNullable(this.durations.parseMillis(this.head.header("retry-after-ms")))
			.or(() -> Optional.ofNullable(this.durations.parse(this.head.header("retry-after"))));
	}

	private Optional<Duration> delay() {
		return Optional.ofNullable(this.durations.parse(this.error.retryDelay()));
	}

	private Optional<Duration> reset() {
		return Optional.ofNullable(this.durations.parse(this.error.reset()));
	}

	private Optional<Duration> resetInHeaders() {
		return this.resetHeaders.stream()
			.flatMap((name) -> Stream.ofNullable(this.durations.parse(this.head.header(name))))
			.findFirst();
	}

	private Optional<Duration> resetInProse() {
		String text = this.error.text();
		return RESET_WORDS.stream()
			.map(text::indexOf)
			.filter((at) -> at >= 0)
			.flatMap((at) -> Stream.ofNullable(DurationText.inProse(text.substring(at))))
			.findFirst();
	}

	private Optional<Duration> delayInProse() {
		return Optional.ofNullable(DurationText.inProse(this.error.text()));
	}

	private Optional<Duration> dateInProse() {
		return Optional.ofNullable(this.durations.untilDateInProse(this.error.text()));
	}

	private Optional<Duration> computed() {
		Quantities quantities = Quantities.in(this.error.text());
		return (quantities != null) ? Optional.ofNullable(quantities.waiting()) : Optional.empty();
	}

	/**
	 * The latest reset of the limits that are used up, of the tripped one if it is known.
	 */
	private static Optional<Duration> resetOfEmpty(List<Observed> limits, Meaning meaning) {
		List<Observed> tripped = limits.stream()
			.filter((limit) -> limit.counts() == meaning.tripped().counts())
			.toList();
		return (tripped.isEmpty() ? limits : tripped).stream()
			.filter((limit) -> isEmpty(limit) || limit.limit() == null && limit.remaining() == null)
			.flatMap((limit) -> Stream.ofNullable(limit.reset()))
			.max(Comparator.naturalOrder());
	}

	private static boolean isEmpty(Observed limit) {
		return limit.remaining() != null && limit.remaining() == 0;
	}

}
