package io.github.llmratelimit.simulator.dialect;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.llmratelimit.simulator.dialect.Levels.Level;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Anthropic's Messages API. Its resets are moments, so that its answers carry a
 * {@code date}; remaining tokens are rounded to thousands, where a limit has that many.
 */
final class Anthropic implements WireForm {

	private static final Pattern PATH = Pattern.compile(".*/v1/messages");

	private static final long THOUSAND = 1000;

	private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter
		.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
		.withZone(ZoneOffset.UTC);

	@Override
	public boolean serves(WireRequest request) {
		return request.posts(PATH);
	}

	@Override
	public Call read(RequestBody body) {
		long tokens = TokenCount.ofMessages(body.require("messages"), "content")
				+ TokenCount.ofContent(body.at("system")) + TokenCount.ofTools(body.at("tools"));
		body.require("max_tokens");
		return body.chat(body.requireText("model"), tokens, body.number("max_tokens"), body.isTrue("stream"), false);
	}

	@Override
	public JsonNode answer(Answer answer) {
		return message(answer, Json.array(Json.object("type", "text", "text", answer.text())), stopReason(answer),
				answer.outputTokens());
	}

	/** Output tokens stand in the last event but one, counted from the start. */
	@Override
	public List<StreamEvent> events(Answer answer) {
		int output = answer.outputTokens();
		List<StreamEvent> events = new ArrayList<>();
		events.add(StreamEvent.named(Json.object("type", "message_start", "message",
				message(answer, Json.array(), null, Math.min(1, output))), 0));
		events.add(StreamEvent.named(Json.object("type", "content_block_start", "index", 0, "content_block",
				Json.object("type", "text", "text", "")), 0));
		events.add(StreamEvent.named(Json.object("type", "ping"), 0));
		answer.pieces().forEach((piece) -> events.add(StreamEvent.named(textDelta(piece), piece.written())));
		events.add(StreamEvent.named(Json.object("type", "content_block_stop", "index", 0), output));
		events.add(StreamEvent.named(Json.object("type", "message_delta", "delta",
				Json.object("stop_reason", stopReason(answer), "stop_sequence", null), "usage",
				Json.object("output_tokens", output)), output));
		events.add(StreamEvent.named(Json.object("type", "message_stop"), output));
		return events;
	}

	private static JsonNode textDelta(Answer.Piece piece) {
		return Json.object("type", "content_block_delta", "index", 0, "delta",
				Json.object("type", "text_delta", "text", piece.text()));
	}

	private static JsonNode message(Answer answer, JsonNode content, @Nullable String stopReason, int outputTokens) {
		return Json.object("id", answer.id("msg_"), "type", "message", "role", "assistant", "model",
				answer.call().model(), "content", content, "stop_reason", stopReason, "stop_sequence", null, "usage",
				Json.object("input_tokens", answer.call().promptTokens(), "cache_creation_input_tokens", 0,
						"cache_read_input_tokens", 0, "output_tokens", outputTokens));
	}

	private static String stopReason(Answer answer) {
		return answer.ending("end_turn", "max_tokens");
	}

	@Override
	public Map<String, String> levels(Levels levels, Instant now) {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("date", HTTP_DATE.format(now));
		level(headers, "requests", levels.requests(), now);
		level(headers, "tokens", rounded(levels.tightestTokens()), now);
		level(headers, "input-tokens", rounded(levels.inputTokens()), now);
		level(headers, "output-tokens", rounded(levels.outputTokens()), now);
		return headers;
	}

	private static @Nullable Level rounded(@Nullable Level level) {
		if (level == null || level.limit() < THOUSAND) {
			return level;
		}
		long nearest = (level.remaining() + THOUSAND / 2) / THOUSAND * THOUSAND;
		return new Level(level.limit(), Math.min(nearest, level.limit()), level.resetNanos());
	}

	private static void level(Map<String, String> headers, String what, @Nullable Level level, Instant now) {
		if (level != null) {
			String prefix = "anthropic-ratelimit-" + what;
			headers.put(prefix + "-limit", Long.toString(level.limit()));
			headers.put(prefix + "-remaining", Long.toString(level.remaining()));
			headers.put(prefix + "-reset", wholeSecond(now.plusNanos(level.resetNanos())).toString());
		}
	}

	private static Instant wholeSecond(Instant moment) {
		return moment.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
	}

	@Override
	public Map<String, String> hint(long waitNanos) {
		return Map.of("retry-after", Long.toString(GoDuration.roundUp(waitNanos, 1_000_000_000)));
	}

	@Override
	public Problem refusal(Refusal refusal, String model) {
		return switch (refusal.cause()) {
			case REQUESTS -> exceeded(refusal, model, "requests");
			case TOKENS -> exceeded(refusal, model, "tokens");
			case INPUT_TOKENS, TOO_LARGE -> exceeded(refusal, model, "input tokens");
			case OUTPUT_TOKENS -> exceeded(refusal, model, "output tokens");
			case CONCURRENCY -> error(429, "Number of concurrent connections has exceeded your rate limit. "
					+ "Please try again later or contact sales.");
			case BANNED -> error(403, "This organization has been disabled.");
		};
	}

	private static Problem exceeded(Refusal refusal, String model, String what) {
		return error(429, ("This request would exceed your organization's rate limit of %s %s per minute "
				+ "(org: org-simulated, model: %s). For details, refer to: https://docs.claude.com/en/api/rate-limits.")
			.formatted(String.format(Locale.ROOT, "%,d", refusal.limit()), what, model));
	}

	@Override
	public JsonNode failure(int status) {
		return error(status, (status == 529) ? "Overloaded" : "Internal server error").body();
	}

	@Override
	public Problem invalid(InvalidRequest request) {
		return error(request.status(), request.message());
	}

	private static Problem error(int status, String message) {
		return new Problem(status, Json.object("type", "error", "error",
				Json.object("type", errorType(status), "message", message), "request_id", "req_simulated"));
	}

	private static String errorType(int status) {
		return switch (status) {
			case 400 -> "invalid_request_error";
			case 403 -> "permission_error";
			case 404 -> "not_found_error";
			case 429 -> "rate_limit_error";
			case 504 -> "timeout_error";
			case 529 -> "overloaded_error";
			default -> "api_error";
		};
	}

}
