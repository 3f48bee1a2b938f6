package io.github.llmratelimit.provider.vendor;

import java.time.ZoneOffset;

import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectBuilder;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Zhipu's GLM, also as Z.ai: limits calls in flight per account and model, no rates. A
 * status of 429 may be a rate, an empty balance or a ban; its number tells, which some
 * texts have in brackets.
 */
final class ZhipuDialect {

	static final DialectTable TABLE = numbers(DialectTable.named("zhipu").like(AnthropicCompatibleDialect.TABLE))
		.baseUrls("https://open.bigmodel.cn", "https://api.z.ai")
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.zone(ZoneOffset.ofHours(8))
		.separatesModels()
		.build();

	private ZhipuDialect() {
	}

	private static DialectBuilder numbers(DialectBuilder dialect) {
		return dialect.numbers(Meaning.CONCURRENCY, "[%s]", 1302)
			.numbers(Meaning.REQUESTS, "[%s]", 1303)
			.numbers(Meaning.OVERLOADED, "[%s]", 1120, 1234, 1305, 1312)
			.numbers(Meaning.QUOTA, "[%s]", 1113, 1304, 1308, 1309, 1310, 1311, 1313)
			.numbers(Meaning.BANNED, "[%s]", 1110, 1112, 1121)
			.numbers(Meaning.KEY_REJECTED, "[%s]", 1000, 1001, 1002, 1003, 1004, 1111)
			.numbers(Meaning.REJECTED, "[%s]", 1210, 1211, 1212, 1213, 1214, 1215, 1220, 1221, 1222, 1261, 1300, 1301)
			.numbers(Meaning.FAILED, "[%s]", 500, 1200, 1230);
	}

}
