package io.github.llmratelimit.simulator.dialect;

import tools.jackson.databind.JsonNode;

/**
 * The simulator's own rule for the tokens of a text: four ASCII characters are one token,
 * two other letters are one, and a CJK character or an emoji is one by itself; the sum is
 * rounded up. A chat message costs three tokens more. The text of an answer follows the
 * same rule.
 */
final class TokenCount {

	private static final int PER_MESSAGE = 3;

	private static final String[] WORDS = { "the ", "sky ", "was ", "red ", "and ", "all ", "our ", "sea ", "lay " };

	private TokenCount() {
	}

	static long ofText(String text) {
		long quarters = text.codePoints().mapToLong(TokenCount::quarters).sum();
		return (quarters + 3) / 4;
	}

	private static long quarters(int codePoint) {
		if (codePoint < 0x80) {
			return 1;
		}
		return (codePoint < 0x2E80) ? 2 : 4;
	}

	/** The messages of a chat, each with its text in the field of that name. */
	static long ofMessages(JsonNode messages, String field) {
		return messages.valueStream().mapToLong((message) -> PER_MESSAGE + ofContent(message.path(field))).sum();
	}

	/** A text, or a list of parts that may have one. */
	static long ofContent(JsonNode content) {
		return content.isArray() ? ofParts(content) : ofText(content.asString(""));
	}

	private static long ofParts(JsonNode parts) {
		return parts.valueStream().mapToLong((part) -> ofText(part.path("text").asString(""))).sum();
	}

	/** The tools a chat offers, if it does. */
	static long ofTools(JsonNode tools) {
		return tools.isMissingNode() ? 0 : ofText(tools.toString());
	}

	/** One input of an embeddings request: a text, or tokens already counted. */
	static long ofInput(JsonNode input) {
		return input.isArray() ? input.size() : ofText(input.asString(""));
	}

	/** A text of exactly so many tokens. */
	static String textOf(int tokens) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < tokens; i++) {
			text.append(WORDS[i % WORDS.length]);
		}
		return text.toString();
	}

}
