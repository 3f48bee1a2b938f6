package io.github.llmratelimit.sample.ways;

/**
 * A question as the API of the provider expects it.
 */
final class Question {

	/** Where it is sent. */
	static final String PATH = "/v1/chat/completions";

	private Question() {
	}

	static String json(String question) {
		return json(question, false);
	}

	/**
	 * A question whose answer is to come piece by piece, and what it has used at the end.
	 * @param question the question
	 * @return the JSON
	 */
	static String streaming(String question) {
		return json(question, true);
	}

	private static String json(String question, boolean stream) {
		return """
				{"model": "gpt-4o-mini", "max_tokens": 40, "messages": [{"role": "user", "content": "%s"}]%s}"""
			.formatted(question, stream ? ", \"stream\": true, \"stream_options\": {\"include_usage\": true}" : "");
	}

}
