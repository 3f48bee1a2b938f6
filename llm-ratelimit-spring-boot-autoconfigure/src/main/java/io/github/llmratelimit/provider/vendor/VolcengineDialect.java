package io.github.llmratelimit.provider.vendor;

import java.time.ZoneOffset;

import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Volcengine's Ark, also as BytePlus: rates and quotas have the same status and type and
 * differ by their code.
 */
final class VolcengineDialect {

	static final DialectTable TABLE = DialectTable.named("volcengine")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://ark.cn-beijing.volces.com", "https://ark.ap-southeast.bytepluses.com")
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.zone(ZoneOffset.ofHours(8))
		.codes(Meaning.THROTTLED, "TooManyRequests", "RateLimitExceeded", "AccountRateLimitExceeded",
				"ModelAccountIpmRateLimitExceeded")
		.codes(Meaning.REQUESTS, "RateLimitExceeded.EndpointRPMExceeded",
				"RateLimitExceeded.FoundationModelRPMExceeded", "ModelAccountRpmRateLimitExceeded",
				"APIAccountRpmRateLimitExceeded", "RequestBurstTooFast")
		.codes(Meaning.TOKENS, "RateLimitExceeded.EndpointTPMExceeded", "RateLimitExceeded.FoundationModelTPMExceeded",
				"ModelAccountTpmRateLimitExceeded")
		.codes(Meaning.CONCURRENCY, "InflightBatchsizeExceeded")
		.codes(Meaning.OVERLOADED, "ServerOverloaded", "ModelLoadingError")
		.codes(Meaning.QUOTA, "QuotaExceeded", "AccountQuotaExceeded", "SetLimitExceeded", "AccountOverdueError",
				"OperationDenied.ServiceOverdue")
		.phrases(Meaning.QUOTA, "overdue", "exhausted its quota", "usage quota", "set by the user")
		.separatesModels()
		.build();

	private VolcengineDialect() {
	}

}
