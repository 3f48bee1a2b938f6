package io.github.llmratelimit.simulator.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/**
 * DashScope's own form: no headers, no hint, usage in every event, counted from the
 * start.
 */
final class DashScope implements WireForm {

	private static final Pattern PATH = Pattern.compile(".*/services/aigc/text-generation/generation");

	@Override
	public boolean serves(WireRequest request) {
		return request.posts(PATH);
	}

	@Override
	public Call read(RequestBody body) {
		JsonNode input = body.require("input");
		long tokens = TokenCount.ofMessages(input.path("messages"), "content")
				+ TokenCount.ofContent(input.path("prompt")) + TokenCount.ofTools(body.at("parameters/tools"));
		return body.chat(body.requireText("model"), tokens, body.number("parameters/max_tokens"),
				streams(body.request()), body.isTrue("parameters/incremental_output"));
	}

	private static boolean streams(WireRequest request) {
		return "enable".equalsIgnoreCase(request.header("x-dashscope-sse"))
				|| String.valueOf(request.header("accept")).contains("text/event-stream");
	}

	@Override
	public JsonNode answer(Answer answer) {
		return chunk(answer, answer.text(), answer.outputTokens(), answer.ending("stop", "length"));
	}

	/**
	 * Each event repeats the text from the start, unless the caller wants only what is
	 * new.
	 */
	@Override
	public List<StreamEvent> events(Answer answer) {
		boolean incremental = answer.call().streamOption();
		List<StreamEvent> events = new ArrayList<>();
		for (Answer.Piece piece : answer.pieces()) {
			String text = incremental ? piece.text() : TokenCount.textOf(piece.written());
			events.add(event(events.size(), chunk(answer, text, piece.written(), "null"), piece.written()));
		}
		events.add(event(events.size(),
				chunk(answer, incremental ? "" : answer.text(), answer.outputTokens(), answer.ending("stop", "length")),
				answer.outputTokens()));
		return events;
	}

	private static StreamEvent event(int before, JsonNode data, int written) {
		return new StreamEvent("id:%d\nevent:result\n:HTTP_STATUS/200\ndata:%s\n\n".formatted(before + 1, data),
				written);
	}

	private static JsonNode chunk(Answer answer, String text, int written, String finishReason) {
		return Json.object("output",
				Json.object("choices",
						Json.array(Json.object("message", Json.object("role", "assistant", "content", text),
								"finish_reason", finishReason))),
				"usage", Json.object("input_tokens", answer.call().promptTokens(), "output_tokens", written,
						"total_tokens", answer.call().promptTokens() + written),
				"request_id", answer.id(""));
	}

	@Override
	public Problem refusal(Refusal refusal, String model) {
		DashScopeCode code = DashScopeCode.of(refusal.cause());
		return error(code.status(), code.ofItsOwn(), code.text());
	}

	@Override
	public JsonNode failure(int status) {
		return error(status, "InternalError", "An internal error has occured, please try again later.").body();
	}

	@Override
	public Problem invalid(InvalidRequest request) {
		return error(request.status(), "InvalidParameter", request.message());
	}

	private static Problem error(int status, String code, String message) {
		return new Problem(status, Json.object("code", code, "message", message, "request_id", "simulated"));
	}

}
