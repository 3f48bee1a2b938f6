package io.github.llmratelimit.simulator.dialect;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/**
 * One form in which a provider is spoken to. Stateless.
 */
interface WireForm {

	/** Whether a request is made in this form. */
	boolean serves(WireRequest request);

	/**
	 * What a request asks for.
	 * @throws InvalidRequest if something is missing
	 */
	Call read(RequestBody body);

	/** The body of a whole answer. */
	JsonNode answer(Answer answer);

	/** The pieces of a streamed answer. */
	List<StreamEvent> events(Answer answer);

	/** The content type of a streamed answer. */
	default String streamType() {
		return "text/event-stream";
	}

	/** The headers that announce limits, on every answer and refusal. */
	default Map<String, String> levels(Levels levels, Instant now) {
		return Map.of();
	}

	/** The headers that tell how long to wait. */
	default Map<String, String> hint(long waitNanos) {
		return Map.of();
	}

	/** How a call is refused. */
	Problem refusal(Refusal refusal, String model);

	/** The body of an answer that failed with that status. */
	JsonNode failure(int status);

	/** How a request that makes no sense is answered. */
	Problem invalid(InvalidRequest request);

}
