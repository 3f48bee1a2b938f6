package io.github.llmratelimit.simulator.dialect;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Qianfan's first version: refusals come with HTTP status 200, usage in every event.
 */
final class Qianfan implements WireForm {

	private static final Pattern PATH = Pattern
		.compile(".*/rpc/2\\.0/ai_custom/v1/wenxinworkshop/chat/(?<model>[^/]+)");

	private static final int OK = 200;

	@Override
	public boolean serves(WireRequest request) {
		return request.posts(PATH);
	}

	@Override
	public Call read(RequestBody body) {
		long tokens = TokenCount.ofMessages(body.require("messages"), "content")
				+ TokenCount.ofContent(body.at("system")) + TokenCount.ofTools(body.at("functions"));
		return body.chat(body.request().pathPart(PATH, "model"), tokens, body.number("max_output_tokens"),
				body.isTrue("stream"), false);
	}

	@Override
	public JsonNode answer(Answer answer) {
		return result(answer, answer.text(), answer.outputTokens()).put("finish_reason",
				answer.ending("normal", "length"));
	}

	/** Text, and an empty last event; no {@code [DONE]}. */
	@Override
	public List<StreamEvent> events(Answer answer) {
		List<StreamEvent> events = new ArrayList<>();
		answer.pieces()
			.forEach((piece) -> events.add(event(answer, events.size(), piece.text(), piece.written(), false)));
		events.add(event(answer, events.size(), "", answer.outputTokens(), true));
		return events;
	}

	private static StreamEvent event(Answer answer, int sentence, String text, int written, boolean end) {
		return StreamEvent.data(result(answer, text, written).put("sentence_id", sentence).put("is_end", end), written);
	}

	private static ObjectNode result(Answer answer, String text, int written) {
		return Json.object("id", answer.id("as-"), "object", "chat.completion", "created", answer.created(), "result",
				text, "is_truncated", false, "need_clear_history", false, "usage",
				Json.object("prompt_tokens", answer.call().promptTokens(), "completion_tokens", written, "total_tokens",
						answer.call().promptTokens() + written));
	}

	@Override
	public Map<String, String> levels(Levels levels, Instant now) {
		Map<String, String> headers = new LinkedHashMap<>();
		level(headers, "Requests", levels.requests());
		level(headers, "Tokens", levels.tightestTokens());
		return headers;
	}

	private static void level(Map<String, String> headers, String what, Levels.@Nullable Level level) {
		if (level != null) {
			headers.put("X-Ratelimit-Limit-" + what, Long.toString(level.limit()));
			headers.put("X-Ratelimit-Remaining-" + what, Long.toString(level.remaining()));
		}
	}

	@Override
	public Problem refusal(Refusal refusal, String model) {
		return switch (refusal.cause()) {
			case REQUESTS -> error(OK, 336501, "Rate limit reached for RPM");
			case TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, TOO_LARGE -> error(OK, 336502, "Rate limit reached for TPM");
			case CONCURRENCY -> error(OK, 18, "Open api qps request limit reached");
			case BANNED -> error(OK, 6, "No permission to access data");
		};
	}

	@Override
	public JsonNode failure(int status) {
		return error(status, 336000, "Internal error").body();
	}

	@Override
	public Problem invalid(InvalidRequest request) {
		return error(request.status(), 336002, request.message());
	}

	private static Problem error(int status, int code, String message) {
		return new Problem(status, Json.object("error_code", code, "error_msg", message));
	}

}
