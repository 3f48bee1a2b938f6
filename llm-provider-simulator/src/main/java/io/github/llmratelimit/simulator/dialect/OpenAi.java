package io.github.llmratelimit.simulator.dialect;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.llmratelimit.simulator.dialect.Call.Kind;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * OpenAI's form, which many providers share with differences in a few places.
 */
class OpenAi implements WireForm {

	private final Pattern path;

	OpenAi() {
		this(".*");
	}

	/** The same below another path, a regular expression. */
	OpenAi(String base) {
		this.path = Pattern.compile(base + "/(?<api>chat/completions|embeddings)");
	}

	@Override
	public boolean serves(WireRequest request) {
		return request.posts(this.path);
	}

	@Override
	public Call read(RequestBody body) {
		boolean chat = body.request().pathPart(this.path, "api").startsWith("chat");
		return chat ? readChat(body) : readEmbeddings(body);
	}

	private Call readChat(RequestBody body) {
		long tokens = TokenCount.ofMessages(body.require("messages"), "content") + TokenCount.ofTools(body.at("tools"));
		Integer max = body.number("max_completion_tokens");
		return body.chat(model(body), tokens, (max != null) ? max : body.number("max_tokens"), body.isTrue("stream"),
				body.isTrue("stream_options/include_usage"));
	}

	private Call readEmbeddings(RequestBody body) {
		JsonNode input = body.require("input");
		long tokens = inputs(input).mapToLong(TokenCount::ofInput).sum();
		return body.embeddings(model(body), tokens, (int) inputs(input).count());
	}

	private static Stream<JsonNode> inputs(JsonNode input) {
		boolean several = input.isArray() && !input.path(0).isNumber();
		return several ? input.valueStream() : Stream.of(input);
	}

	String model(RequestBody body) {
		return body.requireText("model");
	}

	@Override
	public JsonNode answer(Answer answer) {
		return (answer.call().kind() == Kind.CHAT) ? completion(answer) : embeddings(answer.call());
	}

	private JsonNode completion(Answer answer) {
		return chat(answer, "chat.completion", Json.object("index", 0, "message",
				Json.object("role", "assistant", "content", answer.text()), "finish_reason", finishReason(answer)))
			.set("usage", usage(answer));
	}

	private static JsonNode embeddings(Call call) {
		ArrayNode data = Json.array();
		for (int i = 0; i < call.inputs(); i++) {
			data.add(Json.object("object", "embedding", "index", i, "embedding", Json.array(0.6, 0.8)));
		}
		return Json.object("object", "list", "model", call.model(), "data", data, "usage",
				Json.object("prompt_tokens", call.promptTokens(), "total_tokens", call.promptTokens()));
	}

	/** Role, text, end, and usage if asked for. */
	@Override
	public List<StreamEvent> events(Answer answer) {
		List<StreamEvent> events = new ArrayList<>();
		events.add(StreamEvent.data(delta(answer, Json.object("role", "assistant", "content", ""), null), 0));
		answer.pieces()
			.forEach((piece) -> events
				.add(StreamEvent.data(delta(answer, Json.object("content", piece.text()), null), piece.written())));
		events.add(StreamEvent.data(lastDelta(answer), answer.outputTokens()));
		if (answer.call().streamOption()) {
			events.add(StreamEvent.data(usageChunk(answer), answer.outputTokens()));
		}
		events.add(new StreamEvent("data: [DONE]\n\n", answer.outputTokens()));
		return events;
	}

	ObjectNode lastDelta(Answer answer) {
		return delta(answer, Json.object(), finishReason(answer));
	}

	private static ObjectNode delta(Answer answer, JsonNode delta, @Nullable String finishReason) {
		ObjectNode chunk = chat(answer, "chat.completion.chunk",
				Json.object("index", 0, "finish_reason", finishReason, "delta", delta));
		return answer.call().streamOption() ? chunk.putNull("usage") : chunk;
	}

	private static JsonNode usageChunk(Answer answer) {
		return chat(answer, "chat.completion.chunk").set("usage", usage(answer));
	}

	private static ObjectNode chat(Answer answer, String object, JsonNode... choices) {
		return Json.object("id", answer.id("chatcmpl-"), "object", object, "created", answer.created(), "model",
				answer.call().model(), "choices", Json.array((Object[]) choices));
	}

	static JsonNode usage(Answer answer) {
		return Json.object("prompt_tokens", answer.call().promptTokens(), "completion_tokens", answer.outputTokens(),
				"total_tokens", answer.totalTokens());
	}

	private static String finishReason(Answer answer) {
		return answer.ending("stop", "length");
	}

	@Override
	public Map<String, String> levels(Levels levels, Instant now) {
		Map<String, String> headers = new LinkedHashMap<>();
		level(headers, "requests", levels.requests());
		level(headers, "tokens", levels.tightestTokens());
		return headers;
	}

	private void level(Map<String, String> headers, String what, Levels.@Nullable Level level) {
		if (level != null) {
			headers.put("x-ratelimit-limit-" + what, Long.toString(level.limit()));
			headers.put("x-ratelimit-remaining-" + what, Long.toString(level.remaining()));
			headers.put("x-ratelimit-reset-" + what, reset(level.resetNanos()));
		}
	}

	String reset(long nanos) {
		return GoDuration.format(nanos);
	}

	@Override
	public Map<String, String> hint(long waitNanos) {
		return Map.of("retry-after-ms", Long.toString(GoDuration.roundUp(waitNanos, 1_000_000)), "retry-after",
				Long.toString(GoDuration.roundUp(waitNanos, 1_000_000_000)));
	}

	@Override
	public Problem refusal(Refusal refusal, String model) {
		return new Problem(429, OpenAiError.refused(refusal, model));
	}

	@Override
	public JsonNode failure(int status) {
		return OpenAiError.of("The simulated server answered with status %d.".formatted(status), "server_error", null);
	}

	@Override
	public Problem invalid(InvalidRequest request) {
		return new Problem(request.status(), OpenAiError.invalid(request));
	}

}
