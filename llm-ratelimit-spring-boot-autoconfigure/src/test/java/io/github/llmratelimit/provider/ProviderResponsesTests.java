package io.github.llmratelimit.provider;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.provider.vendor.Dialects;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real responses, each with the right reading.
 */
class ProviderResponsesTests {

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void readsResponse(String id, JsonNode row) {
		ProviderDialect dialect = dialect(row.get("provider").asString());
		ResponseHead head = new ResponseHead(row.get("status").asInt(),
				(name) -> row.get("headers").path(name).asStringOpt().orElse(null));
		byte[] body = row.get("body").asString().getBytes(StandardCharsets.UTF_8);
		Reading reading = Reading.of(dialect.classify(head, body));
		assertThat(expected(row)).contains(reading);
	}

	static Stream<Arguments> readsResponse() {
		return Stream.of("responses.json", "western-responses.json")
			.flatMap(ProviderResponsesTests::rows)
			.map((row) -> Arguments.of(row.get("id").asString(), row));
	}

	private static Stream<JsonNode> rows(String file) {
		try (InputStream rows = ProviderResponsesTests.class.getResourceAsStream("/provider/" + file)) {
			return StreamSupport.stream(new JsonMapper().readTree(rows).spliterator(), false);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Names without a dialect of their own are read as OpenAI-compatible. */
	private static ProviderDialect dialect(String name) {
		String dialect = switch (name) {
			case "baidu" -> "qianfan";
			case "tencent" -> "hunyuan";
			case "cloudflare" -> "generic";
			default -> name;
		};
		return Dialects.builtIn().getOrDefault(dialect, Dialects.named("openai-compatible"));
	}

	private static Stream<Reading> expected(JsonNode row) {
		JsonNode expected = row.get("expected");
		return Stream.concat(Stream.of(expected), StreamSupport.stream(expected.path("also").spliterator(), false))
			.map(Reading::of);
	}

	private record Reading(String category, boolean retryable, Long waitMillis) {

		private static final Set<CallOutcome> RETRIED = Set.of(CallOutcome.THROTTLED, CallOutcome.OVERLOADED);

		static Reading of(JsonNode expected) {
			JsonNode wait = expected.get("wait_ms");
			return new Reading(expected.get("category").asString(), expected.get("retryable").asBoolean(),
					wait.isNull() ? null : wait.asLong());
		}

		static Reading of(ThrottleSignal signal) {
			Duration hint = signal.hint();
			boolean soon = Objects.requireNonNullElse(hint, Duration.ZERO).compareTo(Duration.ofHours(1)) <= 0;
			return new Reading(category(signal), RETRIED.contains(signal.outcome()) && soon,
					(hint != null) ? hint.plusNanos(999_999).toMillis() : null);
		}

		private static String category(ThrottleSignal signal) {
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

	}

}
