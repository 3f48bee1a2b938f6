package io.github.llmratelimit.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.ResponseHead;
import io.github.llmratelimit.provider.vendor.Dialects;

/**
 * A response as a provider once gave it, with the right reading.
 *
 * @param id how to tell it from others
 * @param dialect what the provider speaks
 * @param status HTTP status
 * @param headers by name
 * @param body the body, perhaps empty
 * @param expected the readings that are right, the best first
 */
public record RealResponse(String id, DialectTable dialect, int status, Map<String, String> headers, String body,
		List<Expected> expected) {

	/**
	 * All in one file.
	 * @param file name of a resource below {@code /provider}
	 */
	public static Stream<RealResponse> in(String file) {
		try (InputStream rows = RealResponse.class.getResourceAsStream("/provider/" + file)) {
			return StreamSupport.stream(new JsonMapper().readTree(rows).spliterator(), false).map(RealResponse::of);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static RealResponse of(JsonNode row) {
		Map<String, String> headers = new TreeMap<>();
		row.get("headers").forEachEntry((name, value) -> headers.put(name, value.asString()));
		List<Expected> expected = new ArrayList<>(List.of(Expected.of(row.get("expected"))));
		row.get("expected").path("also").forEach((other) -> expected.add(Expected.of(other)));
		return new RealResponse(row.get("id").asString(), dialect(row.get("provider").asString()),
				row.get("status").asInt(), headers, row.get("body").asString(), expected);
	}

	/** Names without a dialect of their own are read as OpenAI-compatible. */
	private static DialectTable dialect(String provider) {
		String dialect = switch (provider) {
			case "baidu" -> "qianfan";
			case "tencent" -> "hunyuan";
			case "cloudflare" -> "generic";
			default -> provider;
		};
		return Dialects.builtIn().getOrDefault(dialect, Dialects.named("openai-compatible"));
	}

	/** What the dialect makes of it. */
	public ThrottleSignal reading() {
		return reading(this.body);
	}

	/** What the dialect makes of it if only this part of the body is there. */
	public ThrottleSignal reading(String part) {
		return this.dialect.classify(new ResponseHead(this.status, this.headers::get),
				part.getBytes(StandardCharsets.UTF_8));
	}

	public boolean isRetryable() {
		return this.expected.get(0).retryable();
	}

	public boolean isSuccessful() {
		return this.status == 200;
	}

	@Override
	public String toString() {
		return this.id;
	}

	/** What a signal is called in the rows. */
	public static String category(ThrottleSignal signal) {
		return switch (signal.outcome()) {
			case THROTTLED -> switch (signal.tripped()) {
				case CONCURRENCY -> "concurrency";
				case REQUESTS -> "rate_limit_requests";
				case TOKENS, INPUT_TOKENS, OUTPUT_TOKENS -> "rate_limit_tokens";
				case NONE, UNKNOWN -> "rate_limit_unknown";
			};
			case OVERLOADED -> "overloaded";
			case QUOTA_EXHAUSTED -> "quota_exhausted";
			case TOO_LARGE -> "request_too_large";
			case BANNED -> "banned";
			default -> "not_rate_limit";
		};
	}

	/**
	 * A right reading.
	 *
	 * @param category what happened
	 * @param retryable whether it heals by itself within an hour
	 * @param waitMillis how long to wait, {@code null} if it is not said
	 */
	public record Expected(String category, boolean retryable, Long waitMillis) {

		static Expected of(JsonNode reading) {
			JsonNode wait = reading.get("wait_ms");
			return new Expected(reading.get("category").asString(), reading.get("retryable").asBoolean(),
					wait.isNull() ? null : wait.asLong());
		}

	}

}
