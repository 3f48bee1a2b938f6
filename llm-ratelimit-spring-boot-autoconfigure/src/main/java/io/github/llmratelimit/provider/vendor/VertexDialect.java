package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Google's Vertex AI: newer models share a pool without fixed limits, others have limits
 * of a project, region and model, or a throughput that is paid for. Models of Anthropic
 * speak their own language.
 */
final class VertexDialect {

	static final DialectTable TABLE = DialectTable.named("vertex")
		.like(GeminiDialect.TABLE)
		.baseUrls("https://aiplatform.googleapis.com", "https://*-aiplatform.googleapis.com")
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.outputWeight(1)
		.path(BodyField.INPUT_TOKENS, "message.usage.input_tokens")
		.path(BodyField.ADDED_INPUT_TOKENS, "usage.cache_creation_input_tokens",
				"message.usage.cache_creation_input_tokens")
		.path(BodyField.OUTPUT_TOKENS, "message.usage.output_tokens")
		.path(BodyField.OUTPUT_TEXT, "delta.text", "delta.thinking", "delta.partial_json")
		.phrases(Meaning.QUOTA, "per_day")
		.phrases(Meaning.OUTPUT_TOKENS, "output_token")
		.build();

	private VertexDialect() {
	}

}
