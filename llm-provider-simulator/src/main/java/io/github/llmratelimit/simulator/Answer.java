package io.github.llmratelimit.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.llmratelimit.simulator.Decision.Admission;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of an admitted call's answer, in OpenAI's shape.
 */
final class Answer {

	static final int TOKENS_PER_EVENT = 8;

	private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

	private final Call call;

	private final int outputTokens;

	private final String id;

	private final long created;

	/**
	 * Makes an answer.
	 * @param admission the admitted call
	 * @param created seconds since the epoch of the simulator's clock
	 */
	Answer(Admission admission, long created) {
		this.call = admission.call();
		this.outputTokens = admission.outputTokens();
		this.id = "chatcmpl-simulated-" + admission.number();
		this.created = created;
	}

	JsonNode json() {
		return switch (this.call.kind()) {
			case CHAT -> completion();
			case EMBEDDINGS -> embeddings();
			case ECHO -> NODES.objectNode().put("ok", true);
		};
	}

	private JsonNode completion() {
		ObjectNode body = chatObject("chat.completion");
		ObjectNode choice = body.putArray("choices").addObject().put("index", 0);
		choice.putObject("message").put("role", "assistant").put("content", TokenCount.textOf(this.outputTokens));
		choice.put("finish_reason", finishReason());
		return body.set("usage", usage());
	}

	private JsonNode embeddings() {
		ObjectNode body = NODES.objectNode().put("object", "list").put("model", this.call.model());
		ArrayNode data = body.putArray("data");
		for (int i = 0; i < this.call.inputs(); i++) {
			data.addObject().put("object", "embedding").put("index", i).putArray("embedding").add(0.6).add(0.8);
		}
		body.putObject("usage")
			.put("prompt_tokens", this.call.promptTokens())
			.put("total_tokens", this.call.promptTokens());
		return body;
	}

	/** The server-sent events of a streamed chat: role, text, end, usage if asked for. */
	List<String> events() {
		List<String> events = new ArrayList<>();
		events.add(event(delta(NODES.objectNode().put("role", "assistant").put("content", ""), null)));
		String text = TokenCount.textOf(this.outputTokens);
		int step = TOKENS_PER_EVENT * 4;
		IntStream.iterate(0, (at) -> at < text.length(), (at) -> at + step)
			.mapToObj((at) -> text.substring(at, Math.min(text.length(), at + step)))
			.map((piece) -> event(delta(NODES.objectNode().put("content", piece), null)))
			.forEach(events::add);
		events.add(event(delta(NODES.objectNode(), finishReason())));
		if (this.call.streamUsage()) {
			events.add(event(usageChunk()));
		}
		events.add("data: [DONE]\n\n");
		return events;
	}

	private static String event(JsonNode chunk) {
		return "data: " + chunk + "\n\n";
	}

	private JsonNode delta(ObjectNode delta, @Nullable String finishReason) {
		ObjectNode chunk = chatObject("chat.completion.chunk");
		chunk.putArray("choices").addObject().put("index", 0).put("finish_reason", finishReason).set("delta", delta);
		return this.call.streamUsage() ? chunk.putNull("usage") : chunk;
	}

	private JsonNode usageChunk() {
		ObjectNode chunk = chatObject("chat.completion.chunk");
		chunk.putArray("choices");
		return chunk.set("usage", usage());
	}

	private ObjectNode chatObject(String object) {
		return NODES.objectNode()
			.put("id", this.id)
			.put("object", object)
			.put("created", this.created)
			.put("model", this.call.model());
	}

	private ObjectNode usage() {
		return NODES.objectNode()
			.put("prompt_tokens", this.call.promptTokens())
			.put("completion_tokens", this.outputTokens)
			.put("total_tokens", this.call.promptTokens() + this.outputTokens);
	}

	private String finishReason() {
		Integer max = this.call.maxTokens();
		return (max != null && this.outputTokens == max) ? "length" : "stop";
	}

}
