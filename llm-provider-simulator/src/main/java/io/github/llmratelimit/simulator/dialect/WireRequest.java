package io.github.llmratelimit.simulator.dialect;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP request as either face received it.
 *
 * @param method in capitals
 * @param path without query
 * @param query without question mark, perhaps empty
 * @param headers looks up the first value of a header
 * @param body its bytes, perhaps none
 */
public record WireRequest(String method, String path, String query, Function<String, @Nullable String> headers,
		byte[] body) {

	/** Whether it asks for exactly this path by this method. */
	public boolean asksFor(String method, String path) {
		return this.method.equals(method) && this.path.equals(path);
	}

	boolean posts(Pattern path) {
		return this.method.equals("POST") && path.matcher(this.path).matches();
	}

	/** A part of its path. */
	String pathPart(Pattern path, String group) {
		Matcher matcher = path.matcher(this.path);
		return matcher.matches() ? Objects.requireNonNullElse(matcher.group(group), "") : "";
	}

	@Nullable String header(String name) {
		return this.headers.apply(name);
	}

	@Nullable String parameter(String name) {
		return Arrays.stream(this.query.split("&"))
			.filter((parameter) -> parameter.startsWith(name + "="))
			.map((parameter) -> parameter.substring(name.length() + 1))
			.findFirst()
			.orElse(null);
	}

	/** The API key, wherever it came; empty if there is none. */
	String key() {
		return Stream
			.concat(Stream.of(bearer()),
					Stream.concat(Stream.of("x-api-key", "api-key", "x-goog-api-key").map(this::header),
							Stream.of("key", "access_token").map(this::parameter)))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse("");
	}

	private @Nullable String bearer() {
		String value = header("authorization");
		if (value == null || !value.regionMatches(true, 0, "Bearer ", 0, 7)) {
			return null;
		}
		return value.substring(7).trim();
	}

}
