package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.LimitHeaders;
import io.github.llmratelimit.provider.Meaning;

/**
 * OpenRouter: credit rather than rates, for which {@code max_tokens} is reserved, limits
 * on free models, and the refusals of the providers behind it, passed on.
 */
final class OpenRouterDialect {

	static final DialectTable TABLE = DialectTable.named("openrouter")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://openrouter.ai")
		.hidesErrors()
		.announcesOnly(LimitHeaders.of(Counted.REQUESTS, null, "x-ratelimit", ""))
		.path(BodyField.DETAIL, "error.metadata.error_type", "error.metadata.provider_code", "error.metadata.raw",
				"error.metadata.limit_source", "error.availability.code")
		.path(BodyField.RETRY_DELAY, "error.availability.retry_after", "error.metadata.retry_after_seconds",
				"error.metadata.headers.Retry-After")
		.path(BodyField.RESET, "error.metadata.headers.X-RateLimit-Reset", "error.metadata.resets_at")
		.resetHeaders("x-ratelimit-reset")
		.overridingPhrases(Meaning.CONCURRENCY, "in_flight_budget")
		.codes(Meaning.CONCURRENCY, "in_flight_budget_exhausted")
		.phrases(Meaning.QUOTA, "per-day", "per day", "_daily", "requires more credits", "insufficient credits",
				"can only afford", "key limit exceeded", "key_limit", "_budget", "budget limit")
		.phrases(Meaning.REQUESTS, "limit_rpm", "per-min", "requests per minute")
		.phrases(Meaning.OVERLOADED, "rate-limited upstream", "capacity_exhausted", "temporarily_unavailable",
				"temporarily overloaded", "no instances available")
		.build();

	private OpenRouterDialect() {
	}

}
