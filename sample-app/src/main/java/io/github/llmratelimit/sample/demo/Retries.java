package io.github.llmratelimit.sample.demo;

import java.time.Duration;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import reactor.util.retry.Retry.RetrySignal;

import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.WebClientResponseException.TooManyRequests;

/**
 * What applications commonly do about a 429: try again, by one rule or another, for as
 * long as it takes.
 */
final class Retries {

	private Retries() {
	}

	/** No second try: whoever uses this expects no refusal. */
	static Retry none() {
		return Retry.max(0);
	}

	/** Again after the same pause every time. */
	static Retry fixed(Duration pause) {
		return Retry.fixedDelay(Long.MAX_VALUE, pause).filter(TooManyRequests.class::isInstance);
	}

	/** Again after a pause that doubles, with full jitter. */
	static Retry exponential(Duration first, Duration longest) {
		return Retry.backoff(Long.MAX_VALUE, first)
			.maxBackoff(longest)
			.jitter(1.0)
			.filter(TooManyRequests.class::isInstance);
	}

	/** Again when the provider says so. */
	static Retry whenToldTo() {
		return Retry.from((refusals) -> refusals.flatMap(Retries::hintedPause));
	}

	private static Publisher<Long> hintedPause(RetrySignal refusal) {
		if (refusal.failure() instanceof TooManyRequests tooMany) {
			return Mono.delay(hint(tooMany.getHeaders()));
		}
		return Mono.error(refusal.failure());
	}

	private static Duration hint(HttpHeaders headers) {
		String millis = headers.getFirst("retry-after-ms");
		return (millis != null) ? Duration.ofMillis(Long.parseLong(millis)) : Duration.ofSeconds(1);
	}

}
