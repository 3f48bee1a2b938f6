package io.github.llmratelimit.provider;

import java.util.Locale;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Status and headers of a response.
 *
 * @param status HTTP status
 * @param headers finds the first value of a header by its lower case name, {@code null}
 * if it is absent
 */
public record ResponseHead(int status, Function<String, @Nullable String> headers) {

	private static final String MESSAGE_STREAM = "application/vnd.amazon.eventstream";

	/**
	 * One header.
	 * @param name name of the header in lower case
	 * @return its first value without surrounding blanks, {@code null} if it is absent or
	 * blank
	 */
	public @Nullable String header(String name) {
		String value = this.headers.apply(name);
		return (value == null || value.isBlank()) ? null : value.strip();
	}

	/**
	 * Whether the status announces an answer.
	 * @return true for 200 to 299
	 */
	public boolean isSuccessful() {
		return this.status >= 200 && this.status < 300;
	}

	/**
	 * Whether the body is a stream of events, server-sent or in Amazon's binary form.
	 * @return true if the content type says so
	 */
	public boolean isEventStream() {
		String type = contentType();
		return type.startsWith("text/event-stream") || type.startsWith(MESSAGE_STREAM);
	}

	/** Whether the body may be one that reports usage: JSON, events, or undeclared. */
	boolean mayHaveUsage() {
		String type = contentType();
		return type.isEmpty() || type.contains("json") || type.startsWith("text/") || type.startsWith(MESSAGE_STREAM);
	}

	private String contentType() {
		String type = header("content-type");
		return (type != null) ? type.toLowerCase(Locale.ROOT) : "";
	}

}
