package io.github.llmratelimit.provider.vendor;

import java.time.ZoneOffset;

import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * SiliconFlow: rates by minute, hour and day per account and model, of which only the
 * text tells which was met.
 */
final class SiliconFlowDialect {

	static final DialectTable TABLE = DialectTable.named("siliconflow")
		.like(AnthropicCompatibleDialect.TABLE)
		.baseUrls("https://api.siliconflow.cn", "https://api.siliconflow.com")
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.zone(ZoneOffset.ofHours(8))
		.codes(Meaning.QUOTA, "30001", "30011")
		.codes(Meaning.OVERLOADED, "50501", "50505", "50507", "50603")
		.codes(Meaning.REJECTED, "20012", "20015", "30003")
		.phrases(Meaning.QUOTA, "balance", "rpd limit", "tpd limit", "ipd limit")
		.phrases(Meaning.REQUESTS, "rph limit")
		.phrases(Meaning.OVERLOADED, "too busy")
		.separatesModels()
		.build();

	private SiliconFlowDialect() {
	}

}
