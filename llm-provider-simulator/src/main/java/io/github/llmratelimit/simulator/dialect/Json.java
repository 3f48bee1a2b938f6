package io.github.llmratelimit.simulator.dialect;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Bodies written as they look.
 */
final class Json {

	private static final JsonMapper MAPPER = new JsonMapper();

	private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

	private Json() {
	}

	/** An object of names and values in turn. */
	static ObjectNode object(@Nullable Object... namesAndValues) {
		ObjectNode object = NODES.objectNode();
		for (int i = 0; i < namesAndValues.length; i += 2) {
			object.set(String.valueOf(namesAndValues[i]), node(namesAndValues[i + 1]));
		}
		return object;
	}

	static ArrayNode array(Object... values) {
		ArrayNode array = NODES.arrayNode();
		for (Object value : values) {
			array.add(node(value));
		}
		return array;
	}

	private static JsonNode node(@Nullable Object value) {
		if (value == null) {
			return NODES.nullNode();
		}
		return (value instanceof JsonNode node) ? node : MAPPER.valueToTree(value);
	}

}
