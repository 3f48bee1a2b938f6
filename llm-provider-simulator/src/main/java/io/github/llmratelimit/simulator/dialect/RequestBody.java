package io.github.llmratelimit.simulator.dialect;

import io.github.llmratelimit.simulator.dialect.Call.Kind;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request with its body as JSON. What it states about itself in
 * {@code x-simulator-prompt-tokens} and {@code x-simulator-output-tokens} goes before
 * what is counted or drawn.
 *
 * @param request as it came
 * @param json its body, an object
 */
record RequestBody(WireRequest request, JsonNode json) {

	/** A chat with the prompt counted, and what the form found of the rest. */
	Call chat(String model, long promptTokens, @Nullable Integer maxTokens, boolean stream, boolean streamOption) {
		return new Call(Kind.CHAT, this.request.key(), model, promptTokens(promptTokens), 0, maxTokens,
				stated("x-simulator-output-tokens"), stream, streamOption);
	}

	Call embeddings(String model, long promptTokens, int inputs) {
		return new Call(Kind.EMBEDDINGS, this.request.key(), model, promptTokens(promptTokens), inputs, null, null,
				false, false);
	}

	/** What must be there, at a JSON pointer without its first slash. */
	JsonNode require(String path) {
		JsonNode value = at(path);
		if (value.isMissingNode() || value.isNull()) {
			throw InvalidRequest.missing(path.replace('/', '.'));
		}
		return value;
	}

	String requireText(String path) {
		return require(path).asString("");
	}

	JsonNode at(String path) {
		return this.json.at("/" + path);
	}

	boolean isTrue(String path) {
		return at(path).asBoolean(false);
	}

	@Nullable Integer number(String path) {
		JsonNode value = at(path);
		return value.isInt() ? Integer.valueOf(value.intValue()) : null;
	}

	private long promptTokens(long counted) {
		Integer stated = stated("x-simulator-prompt-tokens");
		return (stated != null) ? stated : counted;
	}

	private @Nullable Integer stated(String header) {
		String value = this.request.header(header);
		return (value != null && value.matches("\\d{1,9}")) ? Integer.valueOf(value) : null;
	}

}
