package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.KeyPlace;
import io.github.llmratelimit.provider.Meaning;

/**
 * Servers that speak Anthropic's language, messages, but count and refuse as they like.
 */
final class AnthropicCompatibleDialect {

	static final DialectTable TABLE = DialectTable.named("anthropic-compatible")
		.like(OpenAiCompatibleDialect.TABLE)
		.key(KeyPlace.header("x-api-key").onlyWith("messages"), KeyPlace.BEARER)
		.hidesErrors()
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.path(BodyField.INPUT_TOKENS, "message.usage.input_tokens")
		.path(BodyField.ADDED_INPUT_TOKENS, "usage.cache_creation_input_tokens",
				"message.usage.cache_creation_input_tokens")
		.path(BodyField.OUTPUT_TOKENS, "message.usage.output_tokens")
		.path(BodyField.OUTPUT_TEXT, "delta.text", "delta.thinking", "delta.partial_json", "content.text",
				"content.thinking")
		.path(BodyField.DETAIL, "error.details.error_code")
		.codes(Meaning.QUOTA, "billing_error")
		.codes(Meaning.TOO_LARGE, "request_too_large")
		.codes(Meaning.FAILED, "timeout_error")
		.phrases(Meaning.QUOTA, "spend_limit", "spend limit", "credit balance", "api usage limits", "extra usage",
				"daily rate limit")
		.phrases(Meaning.BANNED, "organization has been disabled", "account has been disabled")
		.phrases(Meaning.CONCURRENCY, "concurrent connections")
		.phrases(Meaning.TOKENS, "number of request tokens")
		.phrases(Meaning.REQUESTS, "number of requests")
		.streamOptions(false)
		.build();

	private AnthropicCompatibleDialect() {
	}

}
