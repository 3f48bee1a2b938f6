package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Cohere: calls per minute, and per month with a trial key. Errors are a sentence, and
 * nothing is announced.
 */
final class CohereDialect {

	static final DialectTable TABLE = DialectTable.named("cohere")
		.like(DialectTable.generic())
		.baseUrls("https://api.cohere.com", "https://api.cohere.ai")
		.hidesErrorsInStreams()
		.path(BodyField.INPUT_TOKENS, "usage.billed_units.input_tokens", "usage.tokens.input_tokens",
				"delta.usage.billed_units.input_tokens", "delta.usage.tokens.input_tokens",
				"meta.billed_units.input_tokens", "meta.tokens.input_tokens", "response.meta.tokens.input_tokens")
		.path(BodyField.OUTPUT_TOKENS, "usage.billed_units.output_tokens", "usage.tokens.output_tokens",
				"delta.usage.billed_units.output_tokens", "delta.usage.tokens.output_tokens",
				"meta.billed_units.output_tokens", "meta.tokens.output_tokens", "response.meta.tokens.output_tokens")
		.path(BodyField.OUTPUT_TEXT, "delta.message.content.text", "message.content.text", "text")
		.path(BodyField.ERROR, "delta.error")
		.statuses(Meaning.REJECTED, 499)
		.phrases(Meaning.QUOTA, "/ month", "per month", "monthly", "billing")
		.phrases(Meaning.TOKENS, "token rate limit", "tokens per minute")
		.phrases(Meaning.REQUESTS, "per minute request limit", "calls / minute", "calls per minute", "/ minute",
				"inputs per minute")
		.phrases(Meaning.OVERLOADED, "please wait and try again later")
		.build();

	private CohereDialect() {
	}

}
