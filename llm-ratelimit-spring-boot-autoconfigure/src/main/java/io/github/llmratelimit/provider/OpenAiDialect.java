package io.github.llmratelimit.provider;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;

/**
 * OpenAI, chat completions and responses: one count of tokens for input and output,
 * refilled continuously; {@code max_tokens} is charged at admission, used or not.
 */
final class OpenAiDialect {

	static final DialectTable TABLE = describe(GenericDialect.describe(DialectTable.named("openai")))
		.baseUrls("https://api.openai.com")
		.algorithm(Counted.TOKENS, LimitAlgorithm.TOKEN_BUCKET)
		.charges(Charge.LARGER_OF_INPUT_AND_MAX_OUTPUT)
		.keepsCharge()
		.hidesErrorsInStreams()
		.headers(LimitHeaders.of(Counted.TOKENS, Duration.ofMinutes(1), "x-ratelimit", "-project-tokens"))
		.build();

	/** Servers that speak the same language, but count as they like. */
	static final DialectTable COMPATIBLE = GenericDialect
		.announcements(describe(GenericDialect.describe(DialectTable.named("openai-compatible"))))
		.hidesErrors()
		.build();

	private OpenAiDialect() {
	}

	private static DialectTable.Builder describe(DialectTable.Builder dialect) {
		return dialect
			.codes(Meaning.QUOTA, "credit_balance_exhausted", "organization_spend_limit_exceeded",
					"project_spend_limit_exceeded", "organization_usage_limit_exceeded")
			.path(BodyField.INPUT_TOKENS, "response.usage.input_tokens")
			.path(BodyField.OUTPUT_TOKENS, "response.usage.output_tokens")
			.path(BodyField.TOTAL_TOKENS, "response.usage.total_tokens")
			.path(BodyField.OUTPUT_TEXT, "delta")
			.path(BodyField.ERROR, "response.error")
			.path(BodyField.ERROR_CODE, "response.error.code")
			.path(BodyField.ERROR_TYPE, "response.error.type")
			.path(BodyField.ERROR_MESSAGE, "response.error.message");
	}

}
