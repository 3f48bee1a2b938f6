package io.github.llmratelimit.provider.vendor;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.LimitHeaders;
import io.github.llmratelimit.provider.Meaning;

/**
 * Groq: requests are announced per day, tokens per minute, both refilled continuously;
 * prompt and {@code max_tokens} are charged, cached input is free.
 */
final class GroqDialect {

	static final DialectTable TABLE = DialectTable.named("groq")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://api.groq.com")
		.algorithm(Counted.REQUESTS, LimitAlgorithm.TOKEN_BUCKET)
		.algorithm(Counted.TOKENS, LimitAlgorithm.TOKEN_BUCKET)
		.charges(Charge.INPUT_PLUS_MAX_OUTPUT)
		.hidesErrorsInStreams()
		.announcesOnly(LimitHeaders.of(Counted.REQUESTS, Duration.ofDays(1), "x-ratelimit", "-requests"),
				LimitHeaders.of(Counted.TOKENS, Duration.ofMinutes(1), "x-ratelimit", "-tokens"))
		.path(BodyField.INPUT_TOKENS, "x_groq.usage.prompt_tokens")
		.path(BodyField.FREE_INPUT_TOKENS, "usage.prompt_tokens_details.cached_tokens",
				"x_groq.usage.prompt_tokens_details.cached_tokens")
		.path(BodyField.OUTPUT_TOKENS, "x_groq.usage.completion_tokens")
		.path(BodyField.TOTAL_TOKENS, "x_groq.usage.total_tokens")
		.path(BodyField.ERROR, "x_groq.error")
		.statuses(Meaning.OVERLOADED, 498)
		.codes(Meaning.OVERLOADED, "capacity_exceeded")
		.separatesModels()
		.build();

	private GroqDialect() {
	}

}
