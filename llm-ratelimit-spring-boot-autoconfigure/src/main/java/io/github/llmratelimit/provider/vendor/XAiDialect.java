package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * xAI: limits of a team and model, in which all tokens count. An error is a text, and its
 * code is a sentence.
 */
final class XAiDialect {

	static final DialectTable TABLE = DialectTable.named("xai")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://api.x.ai", "https://*.api.x.ai")
		.hidesErrorsInStreams()
		.phrases(Meaning.QUOTA, "available credits", "spending limit", "purchase credits", "run out of credits")
		.separatesModels()
		.phrases(Meaning.TOKENS, "too many tokens")
		.build();

	private XAiDialect() {
	}

}
