package io.github.llmratelimit.sdk;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonWriter;

/**
 * The body of an error that an SDK has parsed and thrown.
 */
final class ThrownBody {

	private static final String ERROR = "error";

	private static final JsonWriter<Object> JSON = JsonWriter.standard();

	private ThrownBody() {
	}

	/**
	 * Write it as the provider did. Some SDKs keep only what was the error in it.
	 * @param body the parsed JSON
	 * @return the bytes, empty if nothing was parsed
	 */
	static byte[] bytes(@Nullable Object body) {
		if (!(body instanceof Map<?, ?> fields)) {
			return new byte[0];
		}
		return JSON.writeToString(fields.containsKey(ERROR) ? fields : Map.of(ERROR, fields))
			.getBytes(StandardCharsets.UTF_8);
	}

}
