package io.github.llmratelimit.token;

import java.nio.charset.StandardCharsets;

/**
 * The contents of JSON strings.
 */
final class JsonText {

	private static final String ESCAPES = "bfnrt";

	private static final String ESCAPED = "\b\f\n\r\t";

	private JsonText() {
	}

	/** Decodes what stands between two quotes; what is no escape is left as it is. */
	static String decode(byte[] body, int from, int to) {
		String raw = new String(body, from, to - from, StandardCharsets.UTF_8);
		int escape = raw.indexOf('\\');
		return (escape < 0) ? raw : unescape(raw, escape);
	}

	/** Encodes a name to stand between two quotes. */
	static byte[] encode(String name) {
		return name.replace("\\", "\\\\").replace("\"", "\\\"").getBytes(StandardCharsets.UTF_8);
	}

	private static String unescape(String raw, int first) {
		StringBuilder text = new StringBuilder(raw.length()).append(raw, 0, first);
		int at = first;
		while (at < raw.length()) {
			char next = raw.charAt(at++);
			if (next != '\\' || at == raw.length()) {
				text.append(next);
			}
			else if (raw.charAt(at) == 'u' && isHex(raw, at + 1)) {
				text.append((char) Integer.parseInt(raw, at + 1, at + 5, 16));
				at += 5;
			}
			else {
				text.append(unescape(raw.charAt(at++)));
			}
		}
		return text.toString();
	}

	private static char unescape(char escape) {
		int index = ESCAPES.indexOf(escape);
		return (index < 0) ? escape : ESCAPED.charAt(index);
	}

	private static boolean isHex(String raw, int from) {
		return from + 4 <= raw.length()
				&& raw.substring(from, from + 4).chars().allMatch((digit) -> Character.digit(digit, 16) >= 0);
	}

}
