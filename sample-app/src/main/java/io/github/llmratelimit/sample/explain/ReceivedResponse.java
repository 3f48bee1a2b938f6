package io.github.llmratelimit.sample.explain;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a response as it was received, copied from a terminal or a log: status line,
 * headers, an empty line, body. Of several heads, as redirects leave them, the last
 * counts. A body alone is read as one of status 200, of which the library knows that it
 * may hide an error.
 */
final class ReceivedResponse {

	private static final String END = "(?:\r?\n|\\z)";

	private static final Pattern STATUS_LINE = Pattern.compile("\\s*HTTP/\\d(?:\\.\\d)? +(\\d{3})(?: [^\r\n]*)?" + END);

	private static final Pattern HEADER = Pattern.compile("([\\w!#$%&'*+.^`|~-]+)[ \t]*:([^\r\n]*)" + END);

	private static final Pattern EMPTY_LINE = Pattern.compile("[ \t]*\r?\n");

	private ReceivedResponse() {
	}

	static SavedResponse read(String id, String text) {
		Matcher at = STATUS_LINE.matcher(text);
		int status = 200;
		int head = 0;
		int end = 0;
		while (at.usePattern(STATUS_LINE).lookingAt()) {
			status = Integer.parseInt(at.group(1));
			head = at.end();
			end = skipHeaders(at);
		}
		return new SavedResponse(id, null, status, headers(text.substring(head, end)), text.substring(end));
	}

	private static Map<String, String> headers(String lines) {
		Map<String, String> headers = new LinkedHashMap<>();
		HEADER.matcher(lines).results().forEach((line) -> headers.putIfAbsent(line.group(1), line.group(2)));
		return headers;
	}

	/** Moves behind the headers and the empty line after them, if it is there. */
	private static int skipHeaders(Matcher at) {
		skip(at);
		for (at.usePattern(HEADER); at.lookingAt();) {
			skip(at);
		}
		if (at.usePattern(EMPTY_LINE).lookingAt()) {
			skip(at);
		}
		return at.regionStart();
	}

	private static void skip(Matcher at) {
		at.region(at.end(), at.regionEnd());
	}

}
