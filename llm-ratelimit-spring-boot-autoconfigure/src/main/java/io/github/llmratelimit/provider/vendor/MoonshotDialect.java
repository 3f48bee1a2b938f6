package io.github.llmratelimit.provider.vendor;

import java.time.ZoneOffset;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Moonshot's Kimi: limits calls in flight, requests and tokens of an account, over all
 * keys and models; {@code max_tokens} is charged at admission, used or not.
 */
final class MoonshotDialect {

	static final DialectTable TABLE = DialectTable.named("moonshot")
		.like(AnthropicCompatibleDialect.TABLE)
		.baseUrls("https://api.moonshot.cn", "https://api.moonshot.ai", "https://api.kimi.com/coding")
		.charges(Charge.INPUT_PLUS_MAX_OUTPUT)
		.keepsCharge()
		.zone(ZoneOffset.ofHours(8))
		.path(BodyField.INPUT_TOKENS, "choices.usage.prompt_tokens")
		.path(BodyField.OUTPUT_TOKENS, "choices.usage.completion_tokens")
		.codes(Meaning.THROTTLED, "rate_limit_reached_error")
		.codes(Meaning.OVERLOADED, "engine_overloaded_error")
		.codes(Meaning.QUOTA, "exceeded_current_quota_error")
		.overridingPhrases(Meaning.QUOTA, "your usage limit", "monthly usage limit", "insufficient balance",
				"tpd rate limit")
		.overridingPhrases(Meaning.OVERLOADED, "engine is currently overloaded", "we're receiving too many requests")
		.phrases(Meaning.CONCURRENCY, "max organization concurrency", "organization max concurrency")
		.phrases(Meaning.TOKENS, "max tpm", "max tpd", "tpm rate limit")
		.phrases(Meaning.REQUESTS, "max rpm", "max rpd", "rpm rate limit")
		.build();

	private MoonshotDialect() {
	}

}
