package io.github.llmratelimit.provider.vendor;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.provider.ResponseHead;
import io.github.llmratelimit.provider.UsageReader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the western providers count: usage in every form, as far as it counts.
 */
class WesternDialectsTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final String ANTHROPIC_STREAM = """
			event: message_start
			data: {"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":50,"cache_read_input_tokens":200000,"cache_creation_input_tokens":7,"output_tokens":1}}}

			event: ping
			data: {"type":"ping"}

			event: content_block_delta
			data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello, dear world"}}

			event: message_delta
			data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}

			event: message_stop
			data: {"type":"message_stop"}

			""";

	private static final String GEMINI_CHUNKS = """
			{"candidates":[{"content":{"parts":[{"text":"Hello"}]}}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1,"totalTokenCount":10}}
			{"candidates":[{"content":{"parts":[{"text":" you"}]}}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":5,"thoughtsTokenCount":20,"totalTokenCount":34}}
			""";

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					openai     | {"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,"prompt_tokens_details":{"cached_tokens":9}}} | 19 | 10
					anthropic  | {"usage":{"input_tokens":50,"cache_read_input_tokens":200000,"cache_creation_input_tokens":0,"output_tokens":3}} | 50 | 3
					anthropic  | {"usage":{"input_tokens":50,"cache_creation_input_tokens":7,"output_tokens":3}} | 57 | 3
					gemini     | {"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":5,"totalTokenCount":34}} | 9 | 0
					gemini     | {"usageMetadata":{"promptTokenCount":9,"totalTokenCount":9}} | 9 | 0
					vertex     | {"usageMetadata":{"promptTokenCount":9,"toolUsePromptTokenCount":4,"candidatesTokenCount":5,"totalTokenCount":18}} | 13 | 5
					vertex     | {"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":5,"thoughtsTokenCount":20,"totalTokenCount":34}} | 9 | 25
					vertex     | {"type":"message","usage":{"input_tokens":50,"cache_read_input_tokens":9,"output_tokens":3}} | 50 | 3
					groq       | {"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110,"prompt_tokens_details":{"cached_tokens":60}}} | 40 | 10
					groq       | {"choices":[],"x_groq":{"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}} | 100 | 10
					xai        | {"usage":{"prompt_tokens":37,"completion_tokens":530,"total_tokens":800,"completion_tokens_details":{"reasoning_tokens":233}}} | 37 | 763
					cohere     | {"usage":{"billed_units":{"input_tokens":5,"output_tokens":6},"tokens":{"input_tokens":71,"output_tokens":8}}} | 71 | 8
					cohere     | {"meta":{"billed_units":{"input_tokens":5,"output_tokens":6}}} | 5 | 6
					bedrock    | {"usage":{"inputTokens":30,"outputTokens":4,"totalTokens":1034,"cacheReadInputTokens":1000,"cacheWriteInputTokens":10}} | 40 | 20
					bedrock    | {"usage":{"input_tokens":30,"output_tokens":4}} | 30 | 20
					bedrock    | {"prompt_token_count":30,"generation_token_count":4} | 30 | 20
					mistral    | {"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29}} | 19 | 10
					openrouter | {"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29}} | 19 | 10
					""")
	void countsUsage(String dialect, String body, long input, long output) {
		assertThat(read(dialect, "application/json", body).usage()).isEqualTo(new TokenUsage(input, output));
	}

	@Test
	void inputAndOutputAreAnnouncedApart() {
		assertThat(observe("anthropic",
				Map.of("date", "Thu, 21 Aug 2025 12:41:00 GMT", "anthropic-ratelimit-requests-limit", "1000",
						"anthropic-ratelimit-requests-remaining", "999", "anthropic-ratelimit-requests-reset",
						"2025-08-21T12:40:59Z", "anthropic-ratelimit-input-tokens-limit", "80000",
						"anthropic-ratelimit-input-tokens-remaining", "70000", "anthropic-ratelimit-input-tokens-reset",
						"2025-08-21T12:41:07Z", "anthropic-ratelimit-output-tokens-limit", "16000",
						"anthropic-ratelimit-output-tokens-remaining", "15000",
						"anthropic-ratelimit-output-tokens-reset", "2025-08-21T12:41:04Z")))
			.containsExactly(new Observed(Counted.REQUESTS, MINUTE, 1000L, 999L, Duration.ZERO),
					new Observed(Counted.INPUT_TOKENS, MINUTE, 80_000L, 70_000L, Duration.ofSeconds(7)),
					new Observed(Counted.OUTPUT_TOKENS, MINUTE, 16_000L, 15_000L, Duration.ofSeconds(4)));
	}

	@Test
	void requestsPerDayAndTokensPerMinute() {
		assertThat(observe("groq",
				Map.of("x-ratelimit-limit-requests", "14400", "x-ratelimit-remaining-requests", "14370",
						"x-ratelimit-reset-requests", "2m59.56s", "x-ratelimit-limit-tokens", "18000",
						"x-ratelimit-remaining-tokens", "17997", "x-ratelimit-reset-tokens", "7.66ms")))
			.containsExactly(
					new Observed(Counted.REQUESTS, Duration.ofDays(1), 14_400L, 14_370L, Duration.ofMillis(179_560)),
					new Observed(Counted.TOKENS, MINUTE, 18_000L, 17_997L, Duration.ofNanos(7_660_000)));
	}

	@Test
	void limitsAreAnnouncedInManySpellings() {
		assertThat(observe("mistral",
				Map.of("ratelimitbysize-limit", "500000", "ratelimitbysize-remaining", "499000",
						"ratelimitbysize-reset", "13")))
			.containsExactly(new Observed(Counted.TOKENS, MINUTE, 500_000L, 499_000L, Duration.ofSeconds(13)));
		assertThat(observe("mistral",
				Map.of("x-ratelimit-limit-tokens-minute", "5000000", "x-ratelimit-remaining-tokens-minute", "4999911",
						"x-ratelimit-limit-req-minute", "720", "x-ratelimit-remaining-req-minute", "717")))
			.containsExactly(new Observed(Counted.TOKENS, MINUTE, 5_000_000L, 4_999_911L, null),
					new Observed(Counted.REQUESTS, MINUTE, 720L, 717L, null));
		assertThat(observe("together",
				Map.of("x-ratelimit-limit", "10", "x-ratelimit-remaining", "9", "x-tokenlimit-limit", "3000",
						"x-tokenlimit-remaining", "2000")))
			.containsExactly(new Observed(Counted.REQUESTS, Duration.ofSeconds(1), 10L, 9L, null),
					new Observed(Counted.TOKENS, Duration.ofSeconds(1), 3000L, 2000L, null));
		assertThat(observe("azure-openai", Map.of("x-ratelimit-limit-tokens", "-1", "x-ratelimit-remaining-tokens",
				"-1", "x-ratelimit-reset-tokens", "0")))
			.isEmpty();
		assertThat(observe("azure-openai",
				Map.of("x-ratelimit-remaining-tokens", "61353", "x-ratelimit-reset-tokens", "55")))
			.containsExactly(new Observed(Counted.TOKENS, MINUTE, null, 61_353L, Duration.ofSeconds(55)));
		assertThat(observe("gemini", Map.of("x-ratelimit-remaining-tokens", "1"))).isEmpty();
	}

	private static List<Observed> observe(String dialect, Map<String, String> headers) {
		return Dialects.named(dialect).observe(new ResponseHead(200, headers::get)).limits();
	}

	@Test
	void outputOfAMessageIsARunningTotal() {
		UsageReader reader = read("anthropic", "text/event-stream", ANTHROPIC_STREAM);
		assertThat(reader.usage()).isEqualTo(new TokenUsage(57, 15));
		assertThat(reader.outputSeen()).isBetween(3L, 6L);
		assertThat(reader.refusal()).isNull();
	}

	@Test
	void inputThatIsRepeatedCountsOnce() {
		String stream = ANTHROPIC_STREAM.replace("\"usage\":{\"output_tokens\":15}",
				"\"usage\":{\"input_tokens\":50,\"cache_creation_input_tokens\":7,\"output_tokens\":15}");
		assertThat(read("anthropic", "text/event-stream", stream).usage()).isEqualTo(new TokenUsage(57, 15));
	}

	@Test
	void aCutStreamHasTheOutputSeen() {
		String stream = ANTHROPIC_STREAM.substring(0, ANTHROPIC_STREAM.indexOf("event: message_delta"));
		UsageReader reader = read("anthropic", "text/event-stream", stream);
		assertThat(reader.usage()).isEqualTo(new TokenUsage(57, 1));
		assertThat(reader.outputSeen()).isBetween(3L, 6L);
	}

	@Test
	void theLastChunkCounts() {
		String[] chunks = GEMINI_CHUNKS.split("\n");
		String array = "[" + String.join(",\r\n", chunks) + "]";
		String events = "data: " + String.join("\r\n\r\ndata: ", chunks) + "\r\n\r\n";
		assertThat(read("vertex", "application/json", array).usage()).isEqualTo(new TokenUsage(9, 25));
		assertThat(read("vertex", "text/event-stream", events).usage()).isEqualTo(new TokenUsage(9, 25));
		assertThat(read("gemini", "text/event-stream", events).usage()).isEqualTo(new TokenUsage(9, 0));
		assertThat(read("gemini", "text/event-stream", events).outputSeen()).isZero();
	}

	@Test
	void readsTheLastEventOfChat() {
		assertThat(read("cohere", "text/event-stream",
				"""
						event: content-delta
						data: {"type":"content-delta","delta":{"message":{"content":{"text":"Hello"}}}}

						event: message-end
						data: {"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":3,"output_tokens":2},"tokens":{"input_tokens":69,"output_tokens":4}}}}

						""")
			.usage()).isEqualTo(new TokenUsage(69, 4));
	}

	@Test
	void readsUsageFromBinaryMessages() {
		byte[] stream = concat(
				message("contentBlockDelta", null, "{\"contentBlockIndex\":0,\"delta\":{\"text\":\"Hello, you\"}}"),
				message("metadata", null,
						"{\"usage\":{\"inputTokens\":30,\"outputTokens\":4,\"totalTokens\":34},\"metrics\":{}}"));
		for (int size = 1; size <= stream.length; size++) {
			UsageReader reader = readMessages(stream, size);
			assertThat(reader.usage()).isEqualTo(new TokenUsage(30, 20));
			assertThat(reader.outputSeen()).isEqualTo(15);
			assertThat(reader.refusal()).isNull();
		}
	}

	@Test
	void readsDocumentsInsideBinaryMessages() {
		byte[] stream = concat(message("chunk", null, embedded(
				"{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":30,\"output_tokens\":1}}}")),
				message("chunk", null,
						embedded("{\"type\":\"content_block_delta\",\"delta\":{\"text\":\"Hello, you\"}}")),
				message("chunk", null, embedded("{\"type\":\"message_delta\",\"usage\":{\"output_tokens\":4}}")));
		UsageReader reader = readMessages(stream, 50);
		assertThat(reader.usage()).isEqualTo(new TokenUsage(30, 20));
		assertThat(reader.outputSeen()).isEqualTo(15);
	}

	@Test
	void readsExceptionsFromBinaryMessages() {
		byte[] stream = concat(message("messageStart", null, "{\"role\":\"assistant\"}"), message(null,
				"throttlingException", "{\"message\":\"Too many tokens, please wait before trying again.\"}"));
		ThrottleSignal signal = ThrottleSignal.throttled(Tripped.TOKENS, null,
				"Too many tokens, please wait before trying again.");
		assertThat(readMessages(stream, 10).refusal()).isEqualTo(signal);
		assertThat(Dialects.named("bedrock").classify(head("application/vnd.amazon.eventstream"), stream))
			.isEqualTo(signal);
		assertThat(
				readMessages(message(null, "modelStreamErrorException", "{\"message\":\"x\"}"), 10).refusal().outcome())
			.isEqualTo(CallOutcome.FAILED);
		assertThat(readMessages(message(null, "serviceUnavailableException", "{}"), 10).refusal().outcome())
			.isEqualTo(CallOutcome.OVERLOADED);
	}

	@Test
	void brokenBinaryMessagesAreIgnored() {
		byte[] good = message("metadata", null, "{\"usage\":{\"inputTokens\":30,\"outputTokens\":4}}");
		byte[] bad = good.clone();
		bad[0] = 0;
		bad[4] = 0x7f;
		assertThat(readMessages(concat(bad, good), 10).usage()).isNull();
	}

	private static String embedded(String document) {
		return "{\"bytes\":\"" + Base64.getEncoder().encodeToString(document.getBytes(StandardCharsets.UTF_8))
				+ "\",\"p\":\"abc\"}";
	}

	/** A message of Amazon's binary event streams, with wrong checksums. */
	private static byte[] message(String event, String exception, String payload) {
		byte[] headers = concat(header(":event-type", event), header(":exception-type", exception),
				header(":content-type", "application/json"));
		byte[] body = payload.getBytes(StandardCharsets.UTF_8);
		int length = 16 + headers.length + body.length;
		return ByteBuffer.allocate(length)
			.putInt(length)
			.putInt(headers.length)
			.putInt(0)
			.put(headers)
			.put(body)
			.putInt(0)
			.array();
	}

	private static byte[] header(String name, String value) {
		if (value == null) {
			return new byte[0];
		}
		return ByteBuffer.allocate(4 + name.length() + value.length())
			.put((byte) name.length())
			.put(name.getBytes(StandardCharsets.US_ASCII))
			.put((byte) 7)
			.putShort((short) value.length())
			.put(value.getBytes(StandardCharsets.US_ASCII))
			.array();
	}

	private static byte[] concat(byte[]... parts) {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			all.writeBytes(part);
		}
		return all.toByteArray();
	}

	private static UsageReader readMessages(byte[] stream, int size) {
		UsageReader reader = Dialects.named("bedrock").usageReader(head("application/vnd.amazon.eventstream"));
		for (int from = 0; from < stream.length; from += size) {
			reader.read(ByteBuffer.wrap(stream, from, Math.min(size, stream.length - from)));
		}
		return reader;
	}

	private static UsageReader read(String dialect, String type, String body) {
		UsageReader reader = Dialects.named(dialect).usageReader(head(type));
		reader.read(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
		return reader;
	}

	private static ResponseHead head(String type) {
		return new ResponseHead(200, Map.of("content-type", type)::get);
	}

}
