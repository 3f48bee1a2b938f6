package io.github.llmratelimit.provider.vendor;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.LimitHeaders;
import io.github.llmratelimit.provider.Meaning;

/**
 * Mistral: limits of a workspace in requests per second, and tokens per minute and month.
 * The headers changed their names over the years; errors are flat.
 */
final class MistralDialect {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	static final DialectTable TABLE = DialectTable.named("mistral")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://api.mistral.ai", "https://codestral.mistral.ai")
		.hidesErrorsInStreams()
		.announcesOnly(LimitHeaders.of(Counted.TOKENS, MINUTE, "ratelimitbysize", ""),
				LimitHeaders.of(Counted.TOKENS, MINUTE, "x-ratelimitbysize", "-minute"),
				LimitHeaders.of(Counted.TOKENS, MINUTE, "x-ratelimit", "-tokens-minute"),
				LimitHeaders.of(Counted.REQUESTS, MINUTE, "x-ratelimit", "-req-minute"),
				LimitHeaders.of(Counted.REQUESTS, Duration.ofSeconds(1), "x-ratelimit", "-req-second"))
		.codes(Meaning.THROTTLED, "1300")
		.codes(Meaning.OVERLOADED, "3505", "service_tier_capacity_exceeded")
		.phrases(Meaning.QUOTA, "monthly", "per month", "spend limit", "spending limit")
		.separatesModels()
		.streamOptions(false)
		.build();

	private MistralDialect() {
	}

}
