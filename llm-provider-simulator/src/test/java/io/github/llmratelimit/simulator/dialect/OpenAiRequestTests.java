package io.github.llmratelimit.simulator.dialect;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the requests of {@link OpenAi} and for what no dialect understands.
 */
class OpenAiRequestTests {

	private static final String CHAT = "/v1/chat/completions";

	@Test
	void readsAChat() {
		Call call = read(post(CHAT, """
				{"model": "m", "messages": [{"role": "user", "content": "four"}], "max_tokens": 7, "stream": true,
				 "stream_options": {"include_usage": true}}"""));
		assertThat(call).isEqualTo(new Call(Call.Kind.CHAT, "", "m", 4, 0, 7, null, true, true));
	}

	@Test
	void prefersMaxCompletionTokens() {
		assertThat(read(post(CHAT, "{\"model\":\"m\",\"messages\":[],\"max_tokens\":7,\"max_completion_tokens\":9}"))
			.maxTokens()).isEqualTo(9);
	}

	@Test
	void believesWhatARequestStates() {
		Call call = read(new WireRequest("POST", CHAT, "",
				Map.of("x-simulator-prompt-tokens", "1500", "x-simulator-output-tokens", "500")::get,
				bytes("{\"model\":\"m\",\"messages\":[]}")));
		assertThat(call.promptTokens()).isEqualTo(1500);
		assertThat(call.statedOutput()).isEqualTo(500);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';',
			value = { "'four';1;1", "['four','fives'];2;3", "[1,2,3];1;3", "[[1,2],[3]];2;3", "[];0;0" })
	void readsEmbeddings(String input, int inputs, long tokens) {
		String quoted = input.startsWith("[") ? input.replace('\'', '"') : "\"" + input + "\"";
		Call call = read(post("/v1/embeddings", "{\"model\":\"e\",\"input\":%s}".formatted(quoted)));
		assertThat(call.inputs()).isEqualTo(inputs);
		assertThat(call.promptTokens()).isEqualTo(tokens);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/simulator/echo", "/simulator/echo/v1/payments" })
	void readsAnythingAsAnEcho(String path) {
		Call call = read(new WireRequest("PUT", path, "", Map.<String, String>of()::get, bytes("not json")));
		assertThat(call.kind()).isEqualTo(Call.Kind.ECHO);
		assertThat(call.promptTokens()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "authorization,Bearer k,k", "authorization,bearer k,k", "x-api-key,k,k", "api-key,k,k",
			"x-goog-api-key,k,k", "authorization,Basic k,''" })
	void findsTheKeyWhereverItIs(String header, String value, String key) {
		assertThat(new WireRequest("GET", "/", "", Map.of(header, value)::get, new byte[0]).key()).isEqualTo(key);
	}

	@ParameterizedTest
	@CsvSource({ "key=k,k", "alt=sse&key=k,k", "access_token=k,k", "monkey=k,''" })
	void findsTheKeyInTheQuery(String query, String key) {
		assertThat(new WireRequest("GET", "/", query, Map.<String, String>of()::get, new byte[0]).key()).isEqualTo(key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "[]", "\"text\"", "null" })
	void refusesABodyThatIsNoObject(String body) {
		assertThatExceptionOfType(UnreadableCallException.class).isThrownBy(() -> read(post(CHAT, body)))
			.satisfies((ex) -> {
				assertThat(ex.problem().status()).isEqualTo(400);
				assertThat(ex.problem().body().path("error").path("type").asString())
					.isEqualTo("invalid_request_error");
			});
	}

	@Test
	void refusesARequestThatLacksAParameter() {
		assertThatExceptionOfType(UnreadableCallException.class).isThrownBy(() -> read(post(CHAT, "{\"messages\":[]}")))
			.withMessage("{\"error\":{\"message\":\"Missing required parameter: 'model'.\","
					+ "\"type\":\"invalid_request_error\",\"param\":\"model\",\"code\":\"missing_required_parameter\"}}");
	}

	@Test
	void knowsNoOtherPath() {
		assertThatExceptionOfType(UnreadableCallException.class).isThrownBy(() -> read(post("/v1/images", "{}")))
			.satisfies((ex) -> assertThat(ex.problem().status()).isEqualTo(404))
			.withMessageContaining("Invalid URL (POST /v1/images)");
	}

	private static Call read(WireRequest request) {
		return SimulatedDialect.OPENAI.open(request).call();
	}

	private static WireRequest post(String path, String body) {
		return new WireRequest("POST", path, "", Map.<String, String>of()::get, bytes(body));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
