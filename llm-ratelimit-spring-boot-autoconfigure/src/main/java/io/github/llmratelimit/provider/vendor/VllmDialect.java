package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Servers of one's own with vLLM: no rates, only a queue, which may be bounded. A limit
 * of calls in flight is all they need.
 */
final class VllmDialect {

	static final DialectTable TABLE = DialectTable.named("vllm")
		.like(OpenAiCompatibleDialect.TABLE)
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.phrases(Meaning.OVERLOADED, "queue", "too many requests")
		.build();

	private VllmDialect() {
	}

}
