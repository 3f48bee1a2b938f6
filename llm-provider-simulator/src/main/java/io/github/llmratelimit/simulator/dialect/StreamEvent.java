package io.github.llmratelimit.simulator.dialect;

import tools.jackson.databind.JsonNode;

/**
 * One piece of a streamed answer. Immutable.
 *
 * @param text as it goes over the wire
 * @param written output tokens that the model has written when it is sent
 */
public record StreamEvent(String text, int written) {

	static StreamEvent data(JsonNode data, int written) {
		return new StreamEvent("data: " + data + "\n\n", written);
	}

	static StreamEvent named(JsonNode data, int written) {
		return new StreamEvent("event: " + data.path("type").asString() + "\ndata: " + data + "\n\n", written);
	}

}
