package io.github.llmratelimit.provider;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class JsonScannerTests {

	private static final String[] KEYS = { "usage", "prompt_tokens", "error", "code", "response", "x", "" };

	private static final JsonPaths PATHS = JsonPaths.of(Map.of("usage.prompt_tokens", BodyField.INPUT_TOKENS, "error",
			BodyField.ERROR, "error.code", BodyField.ERROR_CODE, "response.error.code", BodyField.CODE));

	private final JsonMapper mapper = new JsonMapper();

	/** Jackson's tree is the oracle. */
	@Test
	void findsWhatIsInTheTreeOfGeneratedDocuments() {
		Random random = new Random(5);
		for (int i = 0; i < 10_000; i++) {
			JsonNode document = document(random, 5);
			List<String> expected = new ArrayList<>();
			find(document, "", expected);
			String text = random.nextBoolean() ? document.toString() : document.toPrettyString();
			assertThat(scan(text, 1 + random.nextInt(text.length()))).as(text).isEqualTo(expected);
		}
	}

	@Test
	void cutsLongValues() {
		List<String> found = scan("{\"error\":\"" + "x".repeat(100_000) + "\"}", 999);
		assertThat(found).singleElement().asString().hasSize("ERROR=".length() + JsonScanner.MAX_VALUE);
	}

	@Test
	void skipsWhatIsTooDeep() {
		String deep = "[".repeat(100_000) + "{\"error\":1}" + "]".repeat(100_000);
		assertThat(scan("{\"usage\":" + deep + ",\"error\":2}", 4096)).containsExactly("ERROR=2");
	}

	private static void find(JsonNode node, String path, List<String> found) {
		if (node.isArray()) {
			node.forEach((element) -> find(element, path, found));
		}
		else if (node.isObject()) {
			node.properties()
				.forEach((entry) -> find(entry.getValue(),
						path.isEmpty() ? "." + entry.getKey() : path + "." + entry.getKey(), found));
		}
		else {
			BodyField field = switch (path) {
				case ".usage.prompt_tokens" -> BodyField.INPUT_TOKENS;
				case ".error" -> BodyField.ERROR;
				case ".error.code" -> BodyField.ERROR_CODE;
				case ".response.error.code" -> BodyField.CODE;
				default -> null;
			};
			if (field != null) {
				String text = node.toString();
				found.add(field + "=" + (node.isString() ? text.substring(1, text.length() - 1) : text));
			}
		}
	}

	private List<String> scan(String text, int size) {
		List<String> found = new ArrayList<>();
		JsonScanner scanner = new JsonScanner(PATHS, new JsonScanner.Sink() {

			@Override
			public void value(BodyField field, byte[] value, int length) {
				found.add(field + "=" + new String(value, 0, length, StandardCharsets.UTF_8));
			}

			@Override
			public void end() {
			}

		});
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		for (int from = 0; from < bytes.length; from += size) {
			scanner.read(bytes, from, Math.min(from + size, bytes.length));
		}
		return found;
	}

	private JsonNode document(Random random, int depth) {
		JsonNodeFactory nodes = this.mapper.getNodeFactory();
		switch (random.nextInt((depth == 5) ? 2 : (depth > 0) ? 6 : 4)) {
			case 0, 4 -> {
				if (depth > 0) {
					ObjectNode object = nodes.objectNode();
					for (int n = random.nextInt(5); n > 0; n--) {
						object.set(KEYS[random.nextInt(KEYS.length)], document(random, depth - 1));
					}
					return object;
				}
				return nodes.numberNode(random.nextInt());
			}
			case 1, 5 -> {
				if (depth > 0) {
					ArrayNode array = nodes.arrayNode();
					for (int n = random.nextInt(4); n > 0; n--) {
						array.add(document(random, depth - 1));
					}
					return array;
				}
				return nodes.nullNode();
			}
			case 2 -> {
				return nodes.stringNode(random.nextBoolean() ? "\"error\":{\"code\":1}" : "\\中\n\"]}");
			}
			default -> {
				return random.nextBoolean() ? nodes.booleanNode(true) : nodes.numberNode(random.nextDouble());
			}
		}
	}

}
