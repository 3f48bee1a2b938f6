package io.github.llmratelimit.sample.provider;

import tools.jackson.databind.JsonNode;

/**
 * What the model answered and what it used.
 *
 * @param answer the text
 * @param promptTokens tokens of the prompt, as the provider counts them
 * @param completionTokens tokens of the answer
 */
public record Completion(String answer, long promptTokens, long completionTokens) {

	static Completion of(JsonNode response) {
		JsonNode usage = response.path("usage");
		return new Completion(response.at("/choices/0/message/content").asString(""),
				usage.path("prompt_tokens").asLong(), usage.path("completion_tokens").asLong());
	}

}
