package io.github.llmratelimit.provider.vendor;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.KeyPlace;
import io.github.llmratelimit.provider.LimitHeaders;
import io.github.llmratelimit.provider.Meaning;

/**
 * Anthropic: input and output are limited apart and refilled continuously. Output counts
 * as it is produced, whatever {@code max_tokens} is; input that is read from the cache
 * does not count, input that is written to it does.
 */
final class AnthropicDialect {

	static final DialectTable TABLE = DialectTable.named("anthropic")
		.like(AnthropicCompatibleDialect.TABLE)
		.baseUrls("https://api.anthropic.com")
		.key(KeyPlace.header("x-api-key"), KeyPlace.BEARER)
		.algorithm(Counted.REQUESTS, LimitAlgorithm.TOKEN_BUCKET)
		.algorithm(Counted.TOKENS, LimitAlgorithm.TOKEN_BUCKET)
		.algorithm(Counted.INPUT_TOKENS, LimitAlgorithm.TOKEN_BUCKET)
		.algorithm(Counted.OUTPUT_TOKENS, LimitAlgorithm.TOKEN_BUCKET)
		.hidesErrorsInStreams()
		.announcesOnly(announced(Counted.REQUESTS, "requests"), announced(Counted.TOKENS, "tokens"),
				announced(Counted.INPUT_TOKENS, "input-tokens"), announced(Counted.OUTPUT_TOKENS, "output-tokens"))
		.codeHeaders("anthropic-ratelimit-unified-status")
		.codes(Meaning.QUOTA, "rejected")
		.resetHeaders("anthropic-ratelimit-unified-reset")
		.separatesModels()
		.build();

	private AnthropicDialect() {
	}

	private static LimitHeaders announced(Counted counts, String name) {
		return LimitHeaders.of(counts, Duration.ofMinutes(1), "anthropic-ratelimit-" + name, "");
	}

}
