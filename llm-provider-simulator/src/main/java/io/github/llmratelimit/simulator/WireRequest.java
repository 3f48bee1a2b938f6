package io.github.llmratelimit.simulator;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP request as either face received it.
 *
 * @param method in capitals
 * @param path without query
 * @param headers looks up the first value of a header
 * @param body its bytes, perhaps none
 */
record WireRequest(String method, String path, Function<String, @Nullable String> headers, byte[] body) {

	boolean asksFor(String method, String path) {
		return this.method.equals(method) && this.path.equals(path);
	}

	boolean posts(String pathEnd) {
		return this.method.equals("POST") && this.path.endsWith(pathEnd);
	}

	@Nullable String header(String name) {
		return this.headers.apply(name);
	}

	/** The API key, in whichever header it came; empty if there is none. */
	String key() {
		String bearer = header("authorization");
		if (bearer != null && bearer.regionMatches(true, 0, "Bearer ", 0, 7)) {
			return bearer.substring(7).trim();
		}
		String key = (header("x-api-key") != null) ? header("x-api-key") : header("api-key");
		return (key != null) ? key : "";
	}

}
