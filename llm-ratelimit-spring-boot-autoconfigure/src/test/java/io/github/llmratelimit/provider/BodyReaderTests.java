package io.github.llmratelimit.provider;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.provider.vendor.Dialects;

import static org.assertj.core.api.Assertions.assertThat;

class BodyReaderTests {

	private static final String CHAT = """
			{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"gpt-4o","choices":[{"index":0,
			 "message":{"role":"assistant","content":"Say \\"usage\\":{\\"prompt_tokens\\":99}} \\\\","usage":{"prompt_tokens":7},
			 "refusal":null,"annotations":[{"usage":{"completion_tokens":8}}]},"logprobs":null,"finish_reason":"stop"}],
			 "usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,
			 "prompt_tokens_details":{"cached_tokens":3,"prompt_tokens":4},
			 "completion_tokens_details":{"reasoning_tokens":0}},"service_tier":"default"}
			""";

	private static final String CHAT_STREAM = """
			: keep-alive

			data: {"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":""}}],"usage":null}

			data: {"id":"1","choices":[{"index":0,"delta":{"content":"Hello, dear world"}}],"usage":null}

			event: message
			id: 5
			data:{"id":"1","choices":[{"index":0,"delta":{"content":" 你好，世界"}}],
			data: "usage":null}

			data: {"id":"1","choices":[],"usage":{"prompt_tokens":20,"completion_tokens":655,"total_tokens":675}}

			data: [DONE]

			""";

	private static final String RESPONSES_STREAM = """
			event: response.created
			data: {"type":"response.created","response":{"id":"resp_1","status":"in_progress","usage":null,"error":null}}

			event: response.output_text.delta
			data: {"type":"response.output_text.delta","item_id":"msg_1","delta":"partial output"}

			event: response.completed
			data: {"type":"response.completed","response":{"id":"resp_1","status":"completed","error":null,"output":[{"content":[{"text":"partial output"}]}],"usage":{"input_tokens":11,"input_tokens_details":{"cached_tokens":5},"output_tokens":4,"total_tokens":15}}}

			""";

	private static final String FAILED_STREAM = """
			data: {"type":"response.output_text.delta","item_id":"msg_1","delta":"partial output"}

			data: {"type":"response.failed","response":{"status":"failed","usage":{"input_tokens":11,"output_tokens":4,"total_tokens":15},"error":{"code":"rate_limit_exceeded","message":"tokens per min (TPM): Limit 30000, Used 22999, Requested 12528. Please try again in 11.054s."}}}

			event: error
			data: {"type":"error","error":{"code":"server_is_overloaded"}}

			""";

	@Test
	void readsUsageOfChatCompletion() {
		assertThat(read(CHAT).usage()).isEqualTo(new TokenUsage(19, 10));
		assertThat(read(CHAT).refusal()).isNull();
	}

	@Test
	void readsUsageOfStream() {
		UsageReader reader = read(CHAT_STREAM);
		assertThat(reader.usage()).isEqualTo(new TokenUsage(20, 655));
		assertThat(reader.outputSeen()).isBetween(8L, 12L);
		assertThat(reader.refusal()).isNull();
	}

	@Test
	void readsUsageOfResponsesStream() {
		UsageReader reader = read(RESPONSES_STREAM);
		assertThat(reader.usage()).isEqualTo(new TokenUsage(11, 4));
		assertThat(reader.outputSeen()).isEqualTo(4);
		assertThat(reader.refusal()).isNull();
	}

	@Test
	void readsUsageAndRefusalOfFailedStream() {
		UsageReader reader = read(FAILED_STREAM);
		assertThat(reader.usage()).isEqualTo(new TokenUsage(11, 4));
		assertThat(reader.refusal().outcome()).isEqualTo(CallOutcome.THROTTLED);
		assertThat(reader.refusal().tripped()).isEqualTo(Tripped.TOKENS);
		assertThat(reader.refusal().hint()).isEqualTo(Duration.ofMillis(11_054));
	}

	@ParameterizedTest
	@ValueSource(strings = { CHAT, CHAT_STREAM, RESPONSES_STREAM, FAILED_STREAM })
	void isTheSameHoweverTheBodyIsCut(String body) {
		for (UnaryOperator<String> form : new UnaryOperator[] { UnaryOperator.identity(),
				(UnaryOperator<String>) (text) -> text.replace("\n", "\r\n"),
				(UnaryOperator<String>) (text) -> text.replace("\n", "\r"),
				(UnaryOperator<String>) (text) -> "\n\ufeff" + text }) {
			byte[] bytes = form.apply(body).getBytes(StandardCharsets.UTF_8);
			UsageReader whole = read(body);
			for (int cut = 0; cut <= bytes.length; cut++) {
				assertSame(whole, read(bytes, cut, bytes.length));
			}
			for (int size = 1; size < 20; size++) {
				assertSame(whole, read(bytes, size, size));
			}
		}
	}

	@Test
	void leavesBuffersAsTheyAre() {
		byte[] bytes = ("xx" + CHAT + "yy").getBytes(StandardCharsets.UTF_8);
		ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).order(ByteOrder.LITTLE_ENDIAN);
		for (ByteBuffer buffer : new ByteBuffer[] { ByteBuffer.wrap(bytes), ByteBuffer.wrap(bytes).asReadOnlyBuffer(),
				direct }) {
			buffer.position(2).limit(bytes.length - 2);
			UsageReader reader = reader();
			reader.read(buffer);
			assertThat(reader.usage()).isEqualTo(new TokenUsage(19, 10));
			assertThat(buffer.position()).isEqualTo(2);
			assertThat(buffer.limit()).isEqualTo(bytes.length - 2);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "null", textBlock = """
			{}                                                             | null | null
			{"usage":null}                                                 | null | null
			{"usage":"many"}                                               | null | null
			{"usage":[]}                                                   | null | null
			{"usage":{}}                                                   | null | null
			{"usage":{"prompt_tokens":null,"completion_tokens":null}}      | null | null
			{"usage":{"prompt_tokens":"5"}}                                | 5    | 0
			{"usage":{"prompt_tokens":-5,"completion_tokens":1.5}}         | null | null
			{"usage":{"prompt_tokens":1e3,"completion_tokens":true}}       | null | null
			{"usage":{"prompt_tokens":99999999999999999999}}               | null | null
			{"usage":{"prompt_tokens":[5],"completion_tokens":{"a":5}}}    | 5    | 0
			{"usage":{"prompt_tokens":5,"total_tokens":5}}                 | 5    | 0
			{"usage":{"prompt_tokens":0,"completion_tokens":0}}            | 0    | 0
			{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":0,"completion_tokens":0}} | null | null
			{"usage":{"prompt_tokens":5},"usage":{"completion_tokens":6}}  | 5    | 6
			{"a":{"usage":{"prompt_tokens":5}}}                            | null | null
			{"a":"usage","b":{"prompt_tokens":5},"usage":{"prompt_tokens":7,"completion_tokens":0}} | 7 | 0
			{"\\u0075sage":{"prompt_tokens":5}}                            | null | null
			[{"usage":{"prompt_tokens":5,"completion_tokens":6}}]          | 5    | 6
			""")
	void readsUsageOnlyWhereItIs(String body, Long input, Long output) {
		assertThat(read(body).usage()).isEqualTo((input != null) ? new TokenUsage(input, output) : null);
	}

	@Test
	void tellsThatATotalIsNotSplit() {
		assertThat(read("{\"usage\":{\"total_tokens\":5}}").usage()).isEqualTo(TokenUsage.ofTotal(5));
	}

	@Test
	void lastReportCounts() {
		assertThat(read("""
				data: {"usage":{"prompt_tokens":20,"completion_tokens":1}}

				data: {"usage":{"completion_tokens":15}}

				""").usage()).isEqualTo(new TokenUsage(20, 15));
	}

	@Test
	void readsEventsThatNoEmptyLineParts() {
		assertThat(read("data: {\"choices\":[]}\ndata: {\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n")
			.usage()).isEqualTo(new TokenUsage(1, 2));
	}

	@Test
	void recoversAfterABrokenEvent() {
		assertThat(read("""
				data: {"choices":[{"delta":{"content":"never ends

				data: }}]]

				data

				database: {"usage":{"prompt_tokens":7}}

				data: {"usage":{"prompt_tokens":1,"completion_tokens":2}}

				""").usage()).isEqualTo(new TokenUsage(1, 2));
	}

	@Test
	void readsLinesOfDocuments() {
		assertThat(read("{\"a\":1}\n{\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n").usage())
			.isEqualTo(new TokenUsage(1, 2));
	}

	@Test
	void readsEmbeddings() {
		String vector = "-0.0069292834,".repeat(1536);
		assertThat(read("{\"object\":\"list\",\"data\":[{\"embedding\":[" + vector
				+ "0]}],\"usage\":{\"prompt_tokens\":8,\"total_tokens\":8}}")
			.usage()).isEqualTo(new TokenUsage(8, 0));
	}

	@ParameterizedTest
	@ValueSource(strings = { "image/png", "audio/mpeg", "application/octet-stream", "multipart/form-data" })
	void readsNoFiles(String type) {
		assertThat(Dialects.named("openai").usageReader(head(200, type))).isSameAs(UsageReader.NONE);
		assertThat(UsageReader.NONE.usage()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/event-stream", "text/plain", "application/x-ndjson", "" })
	void trustsTheBodyMoreThanItsType(String type) {
		UsageReader reader = Dialects.named("openai").usageReader(head(200, type));
		reader.read(ByteBuffer.wrap(CHAT.getBytes(StandardCharsets.UTF_8)));
		assertThat(reader.usage()).isEqualTo(new TokenUsage(19, 10));
	}

	@Test
	void refusalIsOnlyForSuccesses() {
		UsageReader reader = Dialects.named("openai").usageReader(head(429, "application/json"));
		reader.read(ByteBuffer.wrap("{\"error\":{\"code\":\"rate_limit_exceeded\"}}".getBytes(StandardCharsets.UTF_8)));
		assertThat(reader.refusal()).isNull();
	}

	private static void assertSame(UsageReader expected, UsageReader actual) {
		assertThat(actual.usage()).isEqualTo(expected.usage());
		assertThat(actual.refusal()).isEqualTo(expected.refusal());
		assertThat(actual.outputSeen()).isEqualTo(expected.outputSeen());
	}

	private static UsageReader read(String body) {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		return read(bytes, bytes.length, bytes.length);
	}

	/** Reads a first chunk and then chunks of one size. */
	private static UsageReader read(byte[] bytes, int first, int size) {
		UsageReader reader = reader();
		reader.read(ByteBuffer.wrap(bytes, 0, first));
		for (int from = first; from < bytes.length; from += size) {
			reader.read(ByteBuffer.wrap(bytes, from, Math.min(size, bytes.length - from)));
		}
		return reader;
	}

	private static UsageReader reader() {
		return Dialects.named("openai").usageReader(head(200, "application/json"));
	}

	private static ResponseHead head(int status, String type) {
		return new ResponseHead(status, Map.of("content-type", type)::get);
	}

}
