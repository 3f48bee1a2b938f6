package io.github.llmratelimit.simulator;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ScriptedResponse} and {@link Script}.
 */
class ScriptedResponseTests {

	@Test
	void readsARawResponse() {
		ScriptedResponse response = ScriptedResponse.parse("""
				HTTP/1.1 429 Too Many Requests
				Content-Type: application/json
				Content-Length: 9999
				Transfer-Encoding: chunked
				X-Strange:a: b
				Retry-After: 2
				retry-after: Wed, 21 Oct 2026 07:28:00 GMT

				{"error":

				"text"}""");
		assertThat(response.status()).isEqualTo(429);
		assertThat(response.headers().getFirst("x-strange")).isEqualTo("a: b");
		assertThat(response.headers().get("Retry-After")).containsExactly("2", "Wed, 21 Oct 2026 07:28:00 GMT");
		assertThat(response.headers().headerNames()).hasSize(3);
		assertThat(response.chunks()).containsExactly("{\"error\":\n\n\"text\"}");
	}

	@Test
	void readsCarriageReturnsAndHttp2() {
		ScriptedResponse response = ScriptedResponse.parse("HTTP/2 529\r\na: b\r\n\r\nline\r\n\r\nline");
		assertThat(response.status()).isEqualTo(529);
		assertThat(response.headers().getFirst("a")).isEqualTo("b");
		assertThat(response.chunks()).containsExactly("line\r\n\r\nline");
	}

	@Test
	void readsAHeadAlone() {
		assertThat(ScriptedResponse.parse("HTTP/1.1 503 Service Unavailable\nretry-after: 1\n").chunks()).isEmpty();
		assertThat(ScriptedResponse.parse("HTTP/1.1 503 Service Unavailable").headers().isEmpty()).isTrue();
	}

	@Test
	void cutsAStreamIntoItsEvents() {
		assertThat(ScriptedResponse.parse(
				"HTTP/1.1 200 OK\ncontent-type: text/event-stream; charset=utf-8\n\nevent: a\ndata: 1\n\ndata: 2\r\n\r\ndata")
			.chunks()).containsExactly("event: a\ndata: 1\n\n", "data: 2\r\n\r\n", "data");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "HTTP/1.1", "HTTP/1.1 OK", "429 Too Many Requests" })
	void wantsAStatusLine(String http) {
		assertThatIllegalArgumentException().isThrownBy(() -> ScriptedResponse.parse(http))
			.withMessageStartingWith("status line: ");
	}

	@Test
	void addsHeadersToACopy() {
		ScriptedResponse one = ScriptedResponse.json(429, "{}");
		ScriptedResponse two = one.header("retry-after", "1").header("retry-after", "2");
		assertThat(one.headers().getFirst("content-type")).isEqualTo("application/json");
		assertThat(one.headers().containsHeader("retry-after")).isFalse();
		assertThat(two.headers().get("retry-after")).containsExactly("1", "2");
	}

	@Test
	void playsEachOnce() {
		ScriptedResponse one = ScriptedResponse.json(429, "{}");
		Script script = new Script();
		assertThat(script.next()).isNull();
		script.begin(List.of(one, one), false);
		assertThat(script.next()).isSameAs(one);
		assertThat(script.next()).isSameAs(one);
		assertThat(script.next()).isNull();
	}

	@Test
	void playsTheLastForever() {
		ScriptedResponse one = ScriptedResponse.json(429, "{}");
		ScriptedResponse last = ScriptedResponse.json(503, "{}");
		Script script = new Script();
		script.begin(List.of(one, last), true);
		assertThat(script.next()).isSameAs(one);
		assertThat(script.next()).isSameAs(last);
		assertThat(script.next()).isSameAs(last);
		script.begin(List.of(), true);
		assertThat(script.next()).isNull();
	}

}
