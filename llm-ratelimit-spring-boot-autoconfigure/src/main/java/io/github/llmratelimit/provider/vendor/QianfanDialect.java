package io.github.llmratelimit.provider.vendor;

import java.time.ZoneOffset;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Baidu's Qianfan: version 1, which answers every error with a status of 200 and a
 * number, and version 2, which speaks OpenAI's language.
 */
final class QianfanDialect {

	static final DialectTable TABLE = DialectTable.named("qianfan")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://qianfan.baidubce.com", "https://aip.baidubce.com/rpc/2.0/ai_custom")
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.zone(ZoneOffset.ofHours(8))
		.path(BodyField.ERROR_CODE, "error_code", "code")
		.path(BodyField.ERROR_MESSAGE, "error_msg")
		.path(BodyField.MESSAGE, "msg")
		.path(BodyField.OUTPUT_TEXT, "result")
		.codes(Meaning.REQUESTS, "4", "18", "336501", "rpm_rate_limit_exceeded", "user_rate_limit_exceeded",
				"preemptible_rate_limit_exceeded", "RATE_LIMIT_TOTAL_QPS")
		.codes(Meaning.TOKENS, "336502", "tpm_rate_limit_exceeded")
		.codes(Meaning.INPUT_TOKENS, "input_tpm_rate_limit_exceeded")
		.codes(Meaning.OUTPUT_TOKENS, "output_tpm_rate_limit_exceeded")
		.codes(Meaning.QUOTA, "17", "19", "account_overdue", "BILLING_INSUFFICIENT_BALANCE", "QUOTA_USER_DAILY_REQUEST")
		.codes(Meaning.OVERLOADED, "2", "336100", "cluster_rate_limit_exceeded", "cluster_rpm_rate_limit_exceeded",
				"cluster_tpm_rate_limit_exceeded", "Offline_batch_reasoning_refused")
		.codes(Meaning.KEY_REJECTED, "13", "14", "100", "110", "111", "invalid_iam_token")
		.codes(Meaning.REJECTED, "3", "6", "336001", "336002", "336003", "336006", "336007", "336103", "336104",
				"tokens_too_long", "characters_too_long")
		.codes(Meaning.FAILED, "1", "336000", "internal_error", "dispatch_internal_error")
		.phrases(Meaning.QUOTA, "overdue", "daily request limit", "total request limit")
		.phrases(Meaning.OVERLOADED, "too busy", "temporarily unavailable")
		.phrases(Meaning.INPUT_TOKENS, "input tpm")
		.phrases(Meaning.OUTPUT_TOKENS, "output tpm")
		.phrases(Meaning.REQUESTS, "for rpm", "qps")
		.separatesModels()
		.build();

	private QianfanDialect() {
	}

}
