package io.github.llmratelimit.simulator.dialect;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Google's Gemini API: no headers, the hint in the body, usage in every event, counted
 * from the start.
 */
class Gemini implements WireForm {

	private static final Pattern PATH = Pattern
		.compile(".*/models/(?<model>[^/:]+):(?<verb>generateContent|streamGenerateContent)");

	private static final String TYPE = "type.googleapis.com/google.rpc.";

	private static final String METRIC = "generativelanguage.googleapis.com/generate_content_free_tier_";

	private static final int SECOND = 1_000_000_000;

	@Override
	public boolean serves(WireRequest request) {
		return request.posts(PATH) && (!streams(request) || "sse".equals(request.parameter("alt")));
	}

	static boolean streams(WireRequest request) {
		return request.pathPart(PATH, "verb").startsWith("stream");
	}

	@Override
	public Call read(RequestBody body) {
		long tokens = TokenCount.ofMessages(body.require("contents"), "parts")
				+ TokenCount.ofContent(body.at("systemInstruction/parts")) + TokenCount.ofTools(body.at("tools"));
		return body.chat(body.request().pathPart(PATH, "model"), tokens,
				body.number("generationConfig/maxOutputTokens"), streams(body.request()), false);
	}

	@Override
	public JsonNode answer(Answer answer) {
		return chunk(answer, answer.text(), answer.outputTokens(), true);
	}

	@Override
	public List<StreamEvent> events(Answer answer) {
		return chunks(answer).stream().map((chunk) -> StreamEvent.data(chunk, written(chunk))).toList();
	}

	/** The last piece of text also tells why it ends. */
	static List<JsonNode> chunks(Answer answer) {
		List<Answer.Piece> pieces = answer.pieces();
		if (pieces.isEmpty()) {
			return List.of(chunk(answer, "", 0, true));
		}
		return IntStream.range(0, pieces.size())
			.mapToObj((i) -> chunk(answer, pieces.get(i).text(), pieces.get(i).written(), i == pieces.size() - 1))
			.toList();
	}

	static int written(JsonNode chunk) {
		return chunk.at("/usageMetadata/candidatesTokenCount").asInt();
	}

	private static JsonNode chunk(Answer answer, String text, int written, boolean last) {
		ObjectNode candidate = Json.object("content",
				Json.object("parts", Json.array(Json.object("text", text)), "role", "model"), "index", 0);
		if (last) {
			candidate.put("finishReason", answer.ending("STOP", "MAX_TOKENS"));
		}
		return Json.object("candidates", Json.array(candidate), "usageMetadata", usage(answer.call(), written),
				"modelVersion", answer.call().model(), "responseId", answer.id(""));
	}

	private static JsonNode usage(Call call, int written) {
		return Json.object("promptTokenCount", call.promptTokens(), "candidatesTokenCount", written, "totalTokenCount",
				call.promptTokens() + written);
	}

	@Override
	public Problem refusal(Refusal refusal, String model) {
		return switch (refusal.cause()) {
			case REQUESTS ->
				quota(refusal, model, METRIC + "requests", "GenerateRequestsPerMinutePerProjectPerModel-FreeTier");
			case TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, TOO_LARGE -> quota(refusal, model, METRIC + "input_token_count",
					"GenerateContentInputTokensPerModelPerMinute-FreeTier");
			case CONCURRENCY -> error(429, "Resource has been exhausted (e.g. check quota).", Json.array());
			case BANNED ->
				error(403, "Permission denied: the consumer of this project has been suspended.", Json.array());
		};
	}

	private static Problem quota(Refusal refusal, String model, String metric, String quotaId) {
		String message = ("You exceeded your current quota, please check your plan and billing details. For more "
				+ "information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.\n"
				+ "* Quota exceeded for metric: %s, limit: %d")
			.formatted(metric, refusal.limit());
		ArrayNode details = Json.array(Json.object("@type", TYPE + "QuotaFailure", "violations",
				Json.array(Json.object("quotaMetric", metric, "quotaId", quotaId, "quotaDimensions",
						Json.object("location", "global", "model", model), "quotaValue",
						Long.toString(refusal.limit())))));
		if (refusal.waitNanos() == 0) {
			return error(429, message, details);
		}
		String delay = duration(refusal.waitNanos());
		details.add(Json.object("@type", TYPE + "RetryInfo", "retryDelay", delay));
		return error(429, message + "\nPlease retry in " + delay + ".", details);
	}

	/** A duration as protobuf prints it: with 0, 3, 6 or 9 decimals. */
	static String duration(long nanos) {
		String decimals = ".%09d".formatted(nanos % SECOND).replaceFirst("(000)+$", "");
		return nanos / SECOND + (decimals.equals(".") ? "" : decimals) + "s";
	}

	@Override
	public JsonNode failure(int status) {
		return error(status, (status == 503) ? "The model is overloaded. Please try again later."
				: "An internal error has occurred.", Json.array())
			.body();
	}

	@Override
	public Problem invalid(InvalidRequest request) {
		return error(request.status(), request.message(), Json.array());
	}

	private static Problem error(int status, String message, ArrayNode details) {
		ObjectNode error = Json.object("code", status, "message", message, "status", statusName(status));
		return new Problem(status, Json.object("error", details.isEmpty() ? error : error.set("details", details)));
	}

	private static String statusName(int status) {
		return switch (status) {
			case 400 -> "INVALID_ARGUMENT";
			case 403 -> "PERMISSION_DENIED";
			case 404 -> "NOT_FOUND";
			case 429 -> "RESOURCE_EXHAUSTED";
			case 503 -> "UNAVAILABLE";
			case 504 -> "DEADLINE_EXCEEDED";
			default -> "INTERNAL";
		};
	}

}
