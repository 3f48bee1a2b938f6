package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Servers that speak OpenAI's language, chat completions and responses, but count and
 * refuse as they like.
 */
final class OpenAiCompatibleDialect {

	static final DialectTable TABLE = DialectTable.named("openai-compatible")
		.like(DialectTable.generic())
		.hidesErrors()
		.path(BodyField.INPUT_TOKENS, "response.usage.input_tokens")
		.path(BodyField.OUTPUT_TOKENS, "response.usage.output_tokens")
		.path(BodyField.TOTAL_TOKENS, "response.usage.total_tokens")
		.path(BodyField.OUTPUT_TEXT, "delta")
		.path(BodyField.ERROR, "response.error")
		.path(BodyField.ERROR_CODE, "response.error.code")
		.path(BodyField.ERROR_TYPE, "response.error.type")
		.path(BodyField.ERROR_MESSAGE, "response.error.message")
		.codes(Meaning.TOKENS, "token_quota_exceeded", "too_many_tokens_error", "tokens_usage_based")
		.codes(Meaning.REQUESTS, "request_quota_exceeded")
		.codes(Meaning.QUOTA, "credit_balance_exhausted", "organization_spend_limit_exceeded",
				"project_spend_limit_exceeded", "organization_usage_limit_exceeded", "quota_exceeded",
				"insufficient_user_quota", "insufficient_credits", "payment_required", "GoUsageLimitError",
				"FreeUsageLimitError")
		.phrases(Meaning.QUOTA, "ByModelByDay")
		.phrases(Meaning.REQUESTS, "UserByModelByMinute")
		.streamOptions(true)
		.build();

	private OpenAiCompatibleDialect() {
	}

}
