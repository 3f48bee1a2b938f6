package io.github.llmratelimit.langchain4j;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import io.github.llmratelimit.provider.ResponseHead;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What came back: a body that is there, or a stream of events.
 *
 * @param status its HTTP status
 * @param headers its headers; LangChain4j knows none of an error
 * @param body its body, empty if it is a stream
 * @param beginning the beginning of its body, as soon as that is there
 * @param events its events, which can be read once; {@code null} if it is no stream
 */
@SuppressWarnings("ArrayRecordComponent")
record Reply(int status, Map<String, List<String>> headers, byte[] body, Mono<byte[]> beginning,
		@Nullable Flux<StreamEvent> events) {

	private static final byte[] NOTHING = new byte[0];

	static Reply of(int status, Map<String, List<String>> headers, byte @Nullable [] body) {
		byte[] bytes = (body != null) ? body : NOTHING;
		return new Reply(status, headers, bytes, Mono.just(bytes), null);
	}

	static Reply of(SuccessfulHttpResponse response) {
		return of(response.statusCode(), response.headers(), response.bodyBytes());
	}

	static Reply of(HttpException error) {
		String body = error.getMessage();
		return of(error.statusCode(), Map.of(), (body != null) ? body.getBytes(StandardCharsets.UTF_8) : null);
	}

	static Reply of(SuccessfulHttpResponse response, Mono<byte[]> beginning, Flux<StreamEvent> events) {
		return new Reply(response.statusCode(), response.headers(), NOTHING, beginning, events);
	}

	ResponseHead head() {
		return new ResponseHead(this.status, (name) -> Headers.first(this.headers, name));
	}

	Reply with(Flux<StreamEvent> events) {
		return new Reply(this.status, this.headers, this.body, this.beginning, events);
	}

	Reply with(String name, String value) {
		Map<String, List<String>> headers = new HashMap<>(this.headers);
		headers.put(name, List.of(value));
		return new Reply(this.status, headers, this.body, this.beginning, this.events);
	}

	SuccessfulHttpResponse toResponse() {
		SuccessfulHttpResponse.Builder response = SuccessfulHttpResponse.builder()
			.statusCode(this.status)
			.headers(this.headers);
		return ((this.events == null) ? response.body(this.body) : response).build();
	}

	HttpException toError() {
		return new HttpException(this.status, new String(this.body, StandardCharsets.UTF_8));
	}

}
