package io.github.llmratelimit.simulator.dialect;

import java.util.List;
import java.util.stream.IntStream;

import tools.jackson.databind.JsonNode;

/**
 * Gemini's streams without {@code alt=sse}: one JSON array that grows, errors in it too.
 */
final class GeminiArray extends Gemini {

	@Override
	public boolean serves(WireRequest request) {
		return streams(request);
	}

	@Override
	public List<StreamEvent> events(Answer answer) {
		List<JsonNode> chunks = chunks(answer);
		return IntStream.range(0, chunks.size())
			.mapToObj((i) -> element(chunks.get(i), i == 0, i == chunks.size() - 1))
			.toList();
	}

	private static StreamEvent element(JsonNode chunk, boolean first, boolean last) {
		return new StreamEvent((first ? "[" : ",\r\n") + chunk + (last ? "]" : ""), written(chunk));
	}

	@Override
	public String streamType() {
		return "application/json";
	}

	@Override
	public Problem refusal(Refusal refusal, String model) {
		return inArray(super.refusal(refusal, model));
	}

	@Override
	public JsonNode failure(int status) {
		return Json.array(super.failure(status));
	}

	@Override
	public Problem invalid(InvalidRequest request) {
		return inArray(super.invalid(request));
	}

	private static Problem inArray(Problem problem) {
		return new Problem(problem.status(), Json.array(problem.body()));
	}

}
