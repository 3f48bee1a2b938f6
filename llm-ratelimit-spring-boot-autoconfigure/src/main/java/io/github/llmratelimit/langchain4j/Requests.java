package io.github.llmratelimit.langchain4j;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.langchain4j.http.client.HttpRequest;
import io.github.llmratelimit.exchange.LlmRequest;
import org.jspecify.annotations.Nullable;

/**
 * Requests of LangChain4j as all clients know them, and back.
 */
final class Requests {

	private Requests() {
	}

	static LlmRequest view(HttpRequest request) {
		return LlmRequest.of(URI.create(request.url()), (name) -> Headers.first(request.headers(), name), json(request),
				request.body() != null || !request.formDataFields().isEmpty() || !request.formDataFiles().isEmpty(),
				Map.of());
	}

	private static @Nullable ByteBuffer json(HttpRequest request) {
		String body = request.body();
		if (body == null || body.length() > LlmRequest.MOST_BYTES
				|| !LlmRequest.isJson(Headers.first(request.headers(), "Content-Type"))) {
			return null;
		}
		return StandardCharsets.UTF_8.encode(body);
	}

	/**
	 * The request to send.
	 * @param request the request as it was written
	 * @param wanted what is to be sent
	 * @return the same request if nothing is different
	 */
	static HttpRequest toSend(HttpRequest request, LlmRequest wanted) {
		if (!wanted.isChanged()) {
			return request;
		}
		return HttpRequest.builder()
			.method(request.method())
			.url(wanted.url().toString())
			.headers(headers(request, wanted))
			.formDataFields(request.formDataFields())
			.formDataFiles(request.formDataFiles())
			.body(wanted.isRewritten() ? text(wanted) : request.body())
			.build();
	}

	private static Map<String, List<String>> headers(HttpRequest request, LlmRequest wanted) {
		Map<String, List<String>> headers = new HashMap<>(request.headers());
		headers.keySet().removeIf((name) -> !wanted.keeps(name));
		wanted.headers().forEach((name, value) -> headers.put(name, List.of(value)));
		return headers;
	}

	private static @Nullable String text(LlmRequest wanted) {
		ByteBuffer json = wanted.json();
		return (json != null) ? StandardCharsets.UTF_8.decode(json).toString() : null;
	}

}
