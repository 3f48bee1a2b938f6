package io.github.llmratelimit.provider.vendor;

import java.time.ZoneOffset;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Alibaba's Model Studio, native and in OpenAI's language. It has OpenAI's words for a
 * missing payment where it means tokens per minute.
 */
final class DashScopeDialect {

	static final DialectTable TABLE = DialectTable.named("dashscope")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://dashscope.aliyuncs.com", "https://dashscope-intl.aliyuncs.com",
				"https://dashscope-us.aliyuncs.com", "https://coding.dashscope.aliyuncs.com",
				"https://coding-intl.dashscope.aliyuncs.com")
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.zone(ZoneOffset.ofHours(8))
		.path(BodyField.ERROR_CODE, "code")
		.path(BodyField.OUTPUT_TEXT, "output.text", "output.choices.message.content",
				"output.choices.message.reasoning_content")
		.codes(Meaning.THROTTLED, "Throttling")
		.codes(Meaning.REQUESTS, "Throttling.RateQuota", "Throttling.BurstRate", "limit_requests", "LimitRequests",
				"limit_burst_rate")
		.codes(Meaning.TOKENS, "Throttling.AllocationQuota", "insufficient_quota")
		.codes(Meaning.CONCURRENCY, "Throttling.Concurrency")
		.codes(Meaning.QUOTA, "Arrearage", "PrepaidBillOverdue", "PostpaidBillOverdue", "CommodityNotPurchased",
				"AllocationQuota.FreeTierOnly", "AccessDenied.Unpurchased")
		.codes(Meaning.OVERLOADED, "ModelServingError", "ModelUnavailable", "ServiceUnavailable")
		.codes(Meaning.REJECTED, "DataInspectionFailed", "data_inspection_failed")
		.overridingPhrases(Meaning.QUOTA, "free allocated quota", "free tier", "hour allocated quota",
				"week allocated quota", "month allocated quota")
		.overridingPhrases(Meaning.CONCURRENCY, "concurrency allocated quota")
		.overridingPhrases(Meaning.OVERLOADED, "system capacity limits")
		.phrases(Meaning.QUOTA, "in good standing", "bill is overdue")
		.phrases(Meaning.TOKENS, "allocated quota exceeded", "exceeded your current quota")
		.phrases(Meaning.REQUESTS, "requests rate limit", "current requests list", "request rate increased too quickly")
		.separatesModels()
		.build();

	private DashScopeDialect() {
	}

}
