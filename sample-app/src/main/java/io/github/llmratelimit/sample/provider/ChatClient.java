package io.github.llmratelimit.sample.provider;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Speaks the chat completions API over a {@link WebClient}. It knows nothing of rate
 * limits: whether calls wait their turn is up to the client it is given.
 */
public final class ChatClient {

	private static final JsonMapper JSON = new JsonMapper();

	private final WebClient web;

	/**
	 * Create a client.
	 * @param web a client whose base URL is the provider's
	 */
	public ChatClient(WebClient web) {
		this.web = web;
	}

	/** The whole answer to a message. */
	public Mono<Completion> complete(String message, int maxTokens) {
		return post(request(message, maxTokens, false)).bodyToMono(JsonNode.class).map(Completion::of);
	}

	/** The answer to a message, piece by piece as it is written. */
	public Flux<String> stream(String message, int maxTokens) {
		return post(request(message, maxTokens, true)).bodyToFlux(String.class)
			.filter((event) -> !event.equals("[DONE]"))
			.map((event) -> JSON.readTree(event).at("/choices/0/delta/content").asString(""))
			.filter((piece) -> !piece.isEmpty());
	}

	private WebClient.ResponseSpec post(Map<String, Object> body) {
		return this.web.post()
			.uri("/v1/chat/completions")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.retrieve();
	}

	private static Map<String, Object> request(String message, int maxTokens, boolean stream) {
		Map<String, Object> request = new LinkedHashMap<>();
		request.put("model", "gpt-4o-mini");
		request.put("max_tokens", maxTokens);
		request.put("messages", List.of(Map.of("role", "user", "content", message)));
		if (stream) {
			request.put("stream", true);
			request.put("stream_options", Map.of("include_usage", true));
		}
		return request;
	}

}
