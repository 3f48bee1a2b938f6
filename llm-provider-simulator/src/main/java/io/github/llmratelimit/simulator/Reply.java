package io.github.llmratelimit.simulator;

import java.util.LinkedHashMap;
import java.util.Map;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * An HTTP response that either face can send.
 *
 * @param status HTTP status
 * @param headers by name
 * @param body its text, all at once or in pieces
 */
record Reply(int status, Map<String, String> headers, Publisher<String> body) {

	static Reply json(int status, Map<String, String> headers, JsonNode body) {
		return new Reply(status, with(headers, "application/json"), Mono.just(body.toString()));
	}

	static Reply events(Map<String, String> headers, Publisher<String> events) {
		return new Reply(200, with(headers, "text/event-stream"), events);
	}

	private static Map<String, String> with(Map<String, String> headers, String contentType) {
		Map<String, String> all = new LinkedHashMap<>(headers);
		all.put("content-type", contentType);
		return all;
	}

}
