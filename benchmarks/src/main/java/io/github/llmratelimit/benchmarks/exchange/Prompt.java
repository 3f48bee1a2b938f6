package io.github.llmratelimit.benchmarks.exchange;

import java.util.List;
import java.util.Map;

import io.github.llmratelimit.token.HeuristicTokenEstimator;
import io.github.llmratelimit.token.RequestFacts;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is sent.
 *
 * @param bytes length of the text
 * @param body the request, encoded anew for every call
 */
record Prompt(int bytes, Map<String, Object> body) {

	private static final String TEXT = "Summarize the following report in three sentences, please. ";

	static Prompt of(int bytes) {
		String text = TEXT.repeat(bytes / TEXT.length() + 1).substring(0, bytes);
		return new Prompt(bytes,
				Map.of("model", "gpt-4o-mini", "max_tokens", 1, "messages",
						List.of(Map.of("role", "system", "content", "You are a helpful assistant."),
								Map.of("role", "user", "content", text))));
	}

	/** The tokens that the estimator sees in it. */
	long estimate() {
		byte[] json = JsonMapper.builder().build().writeValueAsBytes(this.body);
		return new HeuristicTokenEstimator().inputTokens(RequestFacts.scan(json));
	}

}
