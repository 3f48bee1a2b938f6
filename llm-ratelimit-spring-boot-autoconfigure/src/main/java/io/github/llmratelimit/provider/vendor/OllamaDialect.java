package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Ollama, native and in OpenAI's language: no rates, only a queue that may be full.
 */
final class OllamaDialect {

	static final DialectTable TABLE = DialectTable.named("ollama")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("http://localhost:11434", "http://127.0.0.1:11434")
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.path(BodyField.INPUT_TOKENS, "prompt_eval_count")
		.path(BodyField.OUTPUT_TOKENS, "eval_count")
		.path(BodyField.OUTPUT_TEXT, "message.content", "message.thinking", "response", "thinking")
		.phrases(Meaning.OVERLOADED, "server busy", "maximum pending requests")
		.build();

	private OllamaDialect() {
	}

}
