package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.DialectBuilder;

/**
 * Anthropic's messages as a second language of providers that speak OpenAI's.
 */
final class AnthropicRoute {

	private AnthropicRoute() {
	}

	/** Adds where messages have their usage and their text. */
	static DialectBuilder on(DialectBuilder dialect) {
		return dialect.path(BodyField.INPUT_TOKENS, "message.usage.input_tokens")
			.path(BodyField.OUTPUT_TOKENS, "message.usage.output_tokens")
			.path(BodyField.OUTPUT_TEXT, "delta.text", "delta.thinking", "delta.partial_json", "content.text");
	}

}
