package io.github.llmratelimit.simulator;

import java.util.Map;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import org.springframework.http.HttpHeaders;

/**
 * An HTTP response that either face can send.
 *
 * @param status HTTP status
 * @param headers by name
 * @param body its text, all at once or in pieces
 */
record Reply(int status, HttpHeaders headers, Publisher<String> body) {

	static Reply json(int status, Map<String, String> headers, JsonNode body) {
		return new Reply(status, with(headers, "application/json"), Mono.just(body.toString()));
	}

	static Reply stream(String contentType, Map<String, String> headers, Publisher<String> events) {
		return new Reply(200, with(headers, contentType), events);
	}

	private static HttpHeaders with(Map<String, String> headers, String contentType) {
		HttpHeaders all = new HttpHeaders();
		headers.forEach(all::set);
		all.set(HttpHeaders.CONTENT_TYPE, contentType);
		return all;
	}

}
