package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.KeyPlace;
import io.github.llmratelimit.provider.Meaning;

/**
 * Google's Gemini API: limits of a project and model, of which only input counts. The
 * same sentence refuses for a minute, a day and for ever; what is meant stands in the
 * details.
 */
final class GeminiDialect {

	static final DialectTable TABLE = DialectTable.named("gemini")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://generativelanguage.googleapis.com")
		.key(KeyPlace.BEARER.onlyWith("openai"), KeyPlace.header("x-goog-api-key"), KeyPlace.queryParameter("key"),
				KeyPlace.BEARER)
		.charges(Charge.INPUT)
		.outputWeight(0)
		.hidesErrors()
		.announcesOnly()
		.path(BodyField.INPUT_TOKENS, "usageMetadata.promptTokenCount")
		.path(BodyField.ADDED_INPUT_TOKENS, "usageMetadata.toolUsePromptTokenCount")
		.path(BodyField.OUTPUT_TOKENS, "usageMetadata.candidatesTokenCount")
		.path(BodyField.TOTAL_TOKENS, "usageMetadata.totalTokenCount")
		.path(BodyField.OUTPUT_TEXT, "candidates.content.parts.text")
		.path(BodyField.DETAIL, "error.details.violations.quotaId", "error.details.violations.quotaMetric",
				"error.details.reason", "error.details.metadata.quota_limit")
		.path(BodyField.LIMIT, "error.details.violations.quotaValue", "error.details.metadata.quota_limit_value")
		.path(BodyField.RETRY_DELAY, "error.details.retryDelay")
		.path(BodyField.RESET, "error.details.metadata.quotaResetDelay", "error.details.metadata.quotaResetTimeStamp")
		.statuses(Meaning.REJECTED, 499)
		.phrases(Meaning.OVERLOADED, "model_capacity_exhausted", "model is overloaded", "no capacity available")
		.phrases(Meaning.QUOTA, "perday", "per day", "daily", "limit: 0", "quota_exhausted", "credits are depleted",
				"prepay", "spending cap", "spend cap", "monthly")
		.phrases(Meaning.INPUT_TOKENS, "inputtokens", "input_token")
		.phrases(Meaning.TOKENS, "provisioned throughput", "tokensper", "tokens per", "token_count")
		.phrases(Meaning.REQUESTS, "requestsper", "requests per", "_requests")
		.phrases(Meaning.THROTTLED, "exceeded your current quota", "quota exceeded", "resource exhausted",
				"resource has been exhausted")
		.separatesModels()
		.build();

	private GeminiDialect() {
	}

}
