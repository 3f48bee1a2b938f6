package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;

/**
 * DeepSeek: limits calls in flight per account and model, no rates; under load it lets
 * calls wait, sending empty lines or comments.
 */
final class DeepSeekDialect {

	static final DialectTable TABLE = DialectTable.named("deepseek")
		.like(AnthropicCompatibleDialect.TABLE)
		.baseUrls("https://api.deepseek.com")
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.separatesModels()
		.streamOptions(true)
		.build();

	private DeepSeekDialect() {
	}

}
