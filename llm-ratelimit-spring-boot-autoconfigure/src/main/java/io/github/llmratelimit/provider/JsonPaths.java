package io.github.llmratelimit.provider;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Where the values of interest are in a JSON document, as a tree of keys. Elements of an
 * array are where the array is. Immutable.
 */
final class JsonPaths {

	private static final int LONGEST = Long.SIZE - 1;

	private final @Nullable BodyField field;

	private final byte[][] keys;

	/** Bit n is set if a key has n bytes: most keys of a document are of no interest. */
	private final long lengths;

	private final JsonPaths[] children;

	private JsonPaths(Map<String, BodyField> fields) {
		this.field = fields.get("");
		Map<String, Map<String, BodyField>> byKey = new LinkedHashMap<>();
		fields.forEach((path, field) -> {
			if (!path.isEmpty()) {
				String[] parts = path.split("\\.", 2);
				byKey.computeIfAbsent(parts[0], (key) -> new LinkedHashMap<>())
					.put((parts.length > 1) ? parts[1] : "", field);
			}
		});
		this.keys = byKey.keySet().stream().map((key) -> key.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
		this.lengths = Arrays.stream(this.keys)
			.mapToLong((key) -> 1L << Math.min(key.length, LONGEST))
			.reduce(0, (one, other) -> one | other);
		this.children = byKey.values().stream().map(JsonPaths::new).toArray(JsonPaths[]::new);
	}

	/** The tree of paths whose keys are separated by dots. */
	static JsonPaths of(Map<String, BodyField> fields) {
		return new JsonPaths(fields);
	}

	/** What the value here says, if it is no object. */
	@Nullable BodyField field() {
		return this.field;
	}

	/** What is below a key, {@code null} if nothing of interest is. */
	@Nullable JsonPaths below(byte[] bytes, int from, int to) {
		int length = to - from;
		if ((this.lengths >>> Math.min(length, LONGEST) & 1) == 0) {
			return null;
		}
		for (int i = 0; i < this.keys.length; i++) {
			if (this.keys[i].length == length && Arrays.equals(this.keys[i], 0, length, bytes, from, to)) {
				return this.children[i];
			}
		}
		return null;
	}

}
