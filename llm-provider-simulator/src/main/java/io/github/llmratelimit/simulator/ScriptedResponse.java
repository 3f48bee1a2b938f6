package io.github.llmratelimit.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.http.HttpHeaders;

/**
 * A response as a provider once gave it, to be replayed. Immutable.
 *
 * @param status HTTP status
 * @param headers sent as they are
 * @param chunks the pieces of the body, perhaps none; several are sent one by one
 */
public record ScriptedResponse(int status, HttpHeaders headers, List<String> chunks) {

	// They tell how the body came; the text is already unpacked.
	private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding", "content-encoding",
			"connection");

	public ScriptedResponse {
		headers = HttpHeaders.readOnlyHttpHeaders(HttpHeaders.copyOf(headers));
		chunks = List.copyOf(chunks);
	}

	/** A JSON body, which need not be valid. */
	public static ScriptedResponse json(int status, String body) {
		return new ScriptedResponse(status, new HttpHeaders(), List.of(body)).header(HttpHeaders.CONTENT_TYPE,
				"application/json");
	}

	/**
	 * A stream of server-sent events with status 200.
	 * @param events each with its empty line
	 */
	public static ScriptedResponse events(String... events) {
		return new ScriptedResponse(200, new HttpHeaders(), List.of(events)).header(HttpHeaders.CONTENT_TYPE,
				"text/event-stream");
	}

	/**
	 * Reads a response as it stands in a log: a status line, headers, an empty line, the
	 * body. Events are sent one by one; headers that frame the body are left out.
	 * @throws IllegalArgumentException if there is no status line
	 */
	public static ScriptedResponse parse(String http) {
		String[] headAndBody = http.split("\r?\n\r?\n", 2);
		List<String> head = headAndBody[0].strip().lines().toList();
		HttpHeaders headers = new HttpHeaders();
		head.stream().skip(1).forEach((line) -> add(headers, line));
		String body = (headAndBody.length > 1) ? headAndBody[1] : "";
		return new ScriptedResponse(status(head.isEmpty() ? "" : head.get(0)), headers, chunks(headers, body));
	}

	private static int status(String line) {
		if (!line.matches("HTTP/[\\d.]+ \\d{3}( .*)?")) {
			throw new IllegalArgumentException("status line: %s (expected: HTTP/1.1 429 …)".formatted(line));
		}
		return Integer.parseInt(line.split(" ")[1]);
	}

	private static void add(HttpHeaders headers, String line) {
		String[] nameAndValue = line.split(":", 2);
		if (nameAndValue.length == 2 && !FRAMING.contains(nameAndValue[0].toLowerCase(Locale.ROOT))) {
			headers.add(nameAndValue[0].strip(), nameAndValue[1].strip());
		}
	}

	private static List<String> chunks(HttpHeaders headers, String body) {
		String type = headers.getFirst(HttpHeaders.CONTENT_TYPE);
		boolean events = type != null && type.startsWith("text/event-stream");
		return (events ? Arrays.stream(body.split("(?<=\n\r?\n)")) : Stream.of(body))
			.filter((chunk) -> !chunk.isEmpty())
			.toList();
	}

	/** The same with one more header. */
	public ScriptedResponse header(String name, String value) {
		HttpHeaders more = HttpHeaders.copyOf(this.headers);
		more.add(name, value);
		return new ScriptedResponse(this.status, more, this.chunks);
	}

}
