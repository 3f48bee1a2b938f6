package io.github.llmratelimit.provider.vendor;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.LimitHeaders;
import io.github.llmratelimit.provider.Meaning;

/**
 * Together: limits per second that follow past use; 503 means that there is no capacity.
 * What they call a credit limit is one of requests, unless it is said to be exceeded.
 */
final class TogetherDialect {

	private static final Duration SECOND = Duration.ofSeconds(1);

	static final DialectTable TABLE = DialectTable.named("together")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://api.together.xyz", "https://api.together.ai")
		.hidesErrorsInStreams()
		.announcesOnly(LimitHeaders.of(Counted.REQUESTS, SECOND, "x-ratelimit", ""),
				LimitHeaders.of(Counted.TOKENS, SECOND, "x-tokenlimit", ""))
		.path(BodyField.DETAIL, "error_type", "error.error_type")
		.codes(Meaning.THROTTLED, "credit_limit", "model_rate_limit")
		.overridingPhrases(Meaning.QUOTA, "credit limit exceeded", "insufficient credit")
		.codes(Meaning.REQUESTS, "dynamic_request_limited")
		.codes(Meaning.TOKENS, "dynamic_token_limited")
		.phrases(Meaning.REQUESTS, "dynamic_request_limited", "queries per")
		.phrases(Meaning.TOKENS, "dynamic_token_limited")
		.separatesModels()
		.build();

	private TogetherDialect() {
	}

}
