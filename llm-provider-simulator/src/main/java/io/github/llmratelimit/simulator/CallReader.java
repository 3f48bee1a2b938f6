package io.github.llmratelimit.simulator;

import java.util.Optional;
import java.util.stream.Stream;

import io.github.llmratelimit.simulator.Call.Kind;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Understands HTTP requests as calls. What a request states about itself in
 * {@code x-simulator-prompt-tokens} and {@code x-simulator-output-tokens} goes before
 * what is counted or drawn.
 */
final class CallReader {

	private static final JsonMapper JSON = new JsonMapper();

	private CallReader() {
	}

	/**
	 * The call.
	 * @throws UnreadableCallException if there is no such API or its body makes no sense
	 */
	static Call read(WireRequest request) {
		if (request.path().equals("/simulator/echo") || request.path().startsWith("/simulator/echo/")) {
			return new Call(Kind.ECHO, request.key(), "echo", 0, 0, null, null, false, false);
		}
		if (request.posts("/chat/completions")) {
			return chat(request, parse(request.body()));
		}
		if (request.posts("/embeddings")) {
			return embeddings(request, parse(request.body()));
		}
		throw UnreadableCallException.unknownPath(request);
	}

	private static JsonNode parse(byte[] body) {
		try {
			JsonNode parsed = JSON.readTree(body);
			if (parsed != null && parsed.isObject()) {
				return parsed;
			}
		}
		catch (JacksonException ex) {
			// not JSON: refused like JSON that is no object
		}
		throw UnreadableCallException.notJson();
	}

	private static Call chat(WireRequest request, JsonNode body) {
		require(body, "messages");
		Integer maxTokens = number(body.path("max_completion_tokens")).or(() -> number(body.path("max_tokens")))
			.orElse(null);
		return new Call(Kind.CHAT, request.key(), require(body, "model").asString(""),
				promptTokens(request, TokenCount.ofChat(body)), 0, maxTokens,
				stated(request, "x-simulator-output-tokens"), body.path("stream").asBoolean(false),
				body.path("stream_options").path("include_usage").asBoolean(false));
	}

	private static Call embeddings(WireRequest request, JsonNode body) {
		JsonNode input = require(body, "input");
		long tokens = inputs(input).mapToLong(TokenCount::ofInput).sum();
		return new Call(Kind.EMBEDDINGS, request.key(), require(body, "model").asString(""),
				promptTokens(request, tokens), (int) inputs(input).count(), null, null, false, false);
	}

	private static Stream<JsonNode> inputs(JsonNode input) {
		boolean several = input.isArray() && !input.path(0).isNumber();
		return several ? input.valueStream() : Stream.of(input);
	}

	private static JsonNode require(JsonNode body, String name) {
		JsonNode value = body.path(name);
		if (value.isMissingNode() || value.isNull()) {
			throw UnreadableCallException.missing(name);
		}
		return value;
	}

	private static Optional<Integer> number(JsonNode value) {
		return value.isInt() ? Optional.of(value.intValue()) : Optional.empty();
	}

	private static long promptTokens(WireRequest request, long counted) {
		Integer stated = stated(request, "x-simulator-prompt-tokens");
		return (stated != null) ? stated : counted;
	}

	private static @Nullable Integer stated(WireRequest request, String header) {
		String value = request.header(header);
		return (value != null && value.matches("\\d{1,9}")) ? Integer.valueOf(value) : null;
	}

}
