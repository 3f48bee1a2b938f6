package io.github.llmratelimit.sample.explain;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ResponseFile}, {@link ReceivedResponse} and {@link Speaker}.
 */
class ResponseFileTests {

	private static final String BODY = "{\"error\":{\"message\":\"no\"}}";

	@ParameterizedTest
	@ValueSource(strings = { "\n", "\r\n" })
	void readsAReceivedResponse(String end) throws Exception {
		SavedResponse response = single(String.join(end, "HTTP/1.1 429 Too Many Requests", "Content-Type: text/plain",
				"X-Strange:a: b", "Retry-After: 2", "retry-after: 3", "", "first", "", "second: line"));
		assertThat(response.status()).isEqualTo(429);
		assertThat(response.headers()).containsOnlyKeys("content-type", "x-strange", "retry-after")
			.containsEntry("x-strange", "a: b")
			.containsEntry("retry-after", "2");
		assertThat(response.body()).isEqualTo("first" + end + end + "second: line");
		assertThat(response.provider()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/2 529", "HTTP/2 529 ", "HTTP/3 529\r\n", "\n\nHTTP/1.0 529 Overloaded\n\n" })
	void readsAHeadAlone(String head) throws Exception {
		SavedResponse response = single(head);
		assertThat(response.status()).isEqualTo(529);
		assertThat(response.headers()).isEmpty();
		assertThat(response.body()).isBlank();
	}

	@Test
	void takesTheLastOfSeveralHeads() throws Exception {
		SavedResponse response = single("""
				HTTP/1.1 200 Connection established

				HTTP/1.1 302 Found
				Location: https://elsewhere.example
				Retry-After: 60

				HTTP/1.1 100 Continue

				HTTP/2 429
				a: b

				{}""");
		assertThat(response.status()).isEqualTo(429);
		assertThat(response.headers()).containsOnlyKeys("a");
		assertThat(response.body()).isEqualTo("{}");
	}

	@Test
	void doesWithoutTheEmptyLine() throws Exception {
		SavedResponse response = single("HTTP/1.1 429\nRetry-After: 2\n" + BODY);
		assertThat(response.headers()).containsOnlyKeys("retry-after");
		assertThat(response.body()).isEqualTo(BODY);
	}

	@ParameterizedTest
	@ValueSource(strings = { BODY, "[" + BODY + "]", "{\"error\":{\"message\":\"no", "{\"a\":1}\n{\"error\":\"no\"}\n",
			"data: {}\n\n", "Too many requests", "\"no\"", "42" })
	void readsABodyAlone(String body) throws Exception {
		SavedResponse response = single(body);
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.headers()).isEmpty();
		assertThat(response.body()).isEqualTo(body);
	}

	@Test
	void ignoresAByteOrderMarkInABodyAlone() throws Exception {
		assertThat(single("\uFEFF" + BODY).signal().outcome()).isEqualTo(single(BODY).signal().outcome());
	}

	@Test
	void readsAManyHeaderedResponse() throws Exception {
		SavedResponse response = single("HTTP/1.1 429\n" + "a: b\n".repeat(100_000) + "\nbody");
		assertThat(response.headers()).containsOnlyKeys("a");
		assertThat(response.body()).isEqualTo("body");
	}

	@Test
	void readsRows() throws Exception {
		List<SavedResponse> rows = ResponseFile.responses("rows.json", """
				[{"id": "a", "provider": "groq", "status": 413, "headers": {"Date": "now"}, "body": "text"},
				 {"id": 7, "status": 429, "body": {"error": "no"}, "provider": null},
				 {"status": 503, "headers": {"retry-after": ["1", "2"], "age": 5}, "body": null}]""");
		assertThat(rows).extracting(SavedResponse::id).containsExactly("a", "7", "rows.json#3");
		assertThat(rows).extracting(SavedResponse::provider).containsExactly("groq", null, null);
		assertThat(rows).extracting(SavedResponse::status).containsExactly(413, 429, 503);
		assertThat(rows).extracting(SavedResponse::body).containsExactly("text", "{\"error\":\"no\"}", "");
		assertThat(rows.get(0).headers()).containsEntry("date", "now");
		assertThat(rows.get(2).headers()).containsEntry("retry-after", "1").containsEntry("age", "5");
	}

	@Test
	void readsARowAlone() throws Exception {
		SavedResponse row = single("{\"status\": 429, \"headers\": {}}");
		assertThat(row.status()).isEqualTo(429);
		assertThat(row.id()).isEqualTo("file");
	}

	@Test
	void saysWhichRowIsWrong() {
		assertThatExceptionOfType(UnreadableFileException.class)
			.isThrownBy(() -> single("[{\"status\": 429, \"body\": \"\"}, {\"body\": \"\"}]"))
			.withMessageContaining("file#2 has no status");
	}

	@ParameterizedTest
	@CsvSource({ "openai, openai", "anthropic-compatible, anthropic-compatible", "baidu, qianfan", "tencent, hunyuan",
			"cloudflare, generic", "wandb, openai-compatible" })
	void knowsWhoSpeaksWhichDialect(String provider, String dialect) {
		assertThat(Speaker.named(provider).name()).isEqualTo(dialect);
	}

	@ParameterizedTest
	@CsvSource({ "anthropic-ratelimit-requests-limit, anthropic", "x-groq-region, groq", "x-amzn-errortype, bedrock",
			"ratelimitbysize-remaining, mistral", "x-tokenlimit-limit, together", "openai-processing-ms, openai",
			"azureml-model-session, azure-openai", "x-ratelimit-limit-requests, openai-compatible",
			"retry-after, openai-compatible" })
	void recognizesAProviderByItsHeaders(String header, String dialect) {
		assertThat(Speaker.knownBy(List.of("date", header)).name()).isEqualTo(dialect);
	}

	@Test
	void recognizesAzureBehindOpenAisHeaders() {
		assertThat(Speaker.knownBy(List.of("openai-version", "azureml-model-session")).name())
			.isEqualTo("azure-openai");
	}

	private static SavedResponse single(String text) throws UnreadableFileException {
		List<SavedResponse> responses = ResponseFile.responses("file", text);
		assertThat(responses).hasSize(1);
		return responses.get(0);
	}

}
