package io.github.llmratelimit.provider.vendor;

import java.time.ZoneOffset;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectBuilder;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * MiniMax: errors have a number, in an answer of status 200 or, on Anthropic's route, in
 * brackets behind the text, where status and type are often wrong.
 */
final class MiniMaxDialect {

	static final DialectTable TABLE = numbers(DialectTable.named("minimax").like(AnthropicCompatibleDialect.TABLE))
		.baseUrls("https://api.minimax.io", "https://api.minimaxi.com", "https://api.minimax.chat")
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.zone(ZoneOffset.ofHours(8))
		.path(BodyField.ERROR_CODE, "base_resp.status_code")
		.path(BodyField.MESSAGE, "base_resp.status_msg")
		.overridingPhrases(Meaning.QUOTA, "usage limit exceeded", "usage limit reached")
		.build();

	private MiniMaxDialect() {
	}

	private static DialectBuilder numbers(DialectBuilder dialect) {
		return dialect.numbers(Meaning.REQUESTS, "(%s)", 1002, 2045)
			.numbers(Meaning.TOKENS, "(%s)", 1039)
			.numbers(Meaning.CONCURRENCY, "(%s)", 1041)
			.numbers(Meaning.QUOTA, "(%s)", 1008, 1028, 1030, 2056, 2061)
			.numbers(Meaning.OVERLOADED, "(%s)", 1000, 1001, 1024, 1033)
			.numbers(Meaning.KEY_REJECTED, "(%s)", 1004, 2049)
			.numbers(Meaning.REJECTED, "(%s)", 1026, 1027, 1042, 2013);
	}

}
