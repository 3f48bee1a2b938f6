package io.github.llmratelimit.provider.vendor;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.LimitHeaders;

/**
 * OpenAI: one count of tokens for input and output, refilled continuously;
 * {@code max_tokens} is charged at admission, used or not.
 */
final class OpenAiDialect {

	static final DialectTable TABLE = DialectTable.named("openai")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://api.openai.com")
		.algorithm(Counted.TOKENS, LimitAlgorithm.TOKEN_BUCKET)
		.charges(Charge.LARGER_OF_INPUT_AND_MAX_OUTPUT)
		.keepsCharge()
		.hidesErrorsInStreams()
		.announcesOnly(LimitHeaders.of(Counted.REQUESTS, Duration.ofMinutes(1), "x-ratelimit", "-requests"),
				LimitHeaders.of(Counted.TOKENS, Duration.ofMinutes(1), "x-ratelimit", "-tokens"),
				LimitHeaders.of(Counted.TOKENS, Duration.ofMinutes(1), "x-ratelimit", "-project-tokens"))
		.separatesModels()
		.build();

	private OpenAiDialect() {
	}

}
