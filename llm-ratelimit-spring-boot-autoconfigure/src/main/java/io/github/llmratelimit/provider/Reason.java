package io.github.llmratelimit.provider;

import org.jspecify.annotations.Nullable;

/**
 * A provider's own words in short, without secrets.
 */
final class Reason {

	private static final int MAX_LENGTH = 200;

	/** Words at least this long that contain a digit may be keys or ids. */
	private static final int SECRET_LENGTH = 32;

	private Reason() {
	}

	/** What an error says, {@code null} if it says nothing. */
	static @Nullable String of(ErrorBody error) {
		String message = error.message();
		if (message == null) {
			return null;
		}
		String masked = mask(message.substring(0, Math.min(message.length(), 2 * MAX_LENGTH)));
		return (masked.length() <= MAX_LENGTH) ? masked : masked.substring(0, MAX_LENGTH) + "…";
	}

	private static String mask(String text) {
		StringBuilder masked = new StringBuilder();
		int at = 0;
		while (at < text.length()) {
			int end = skipWord(text, at);
			String word = text.substring(at, end);
			masked.append(isSecret(word) ? "…" : word);
			if (end < text.length()) {
				char separator = text.charAt(end++);
				masked.append(Character.isISOControl(separator) ? ' ' : separator);
			}
			at = end;
		}
		return masked.toString();
	}

	private static int skipWord(String text, int from) {
		int at = from;
		while (at < text.length()
				&& (Character.isLetterOrDigit(text.charAt(at)) || "-_*".indexOf(text.charAt(at)) >= 0)) {
			at++;
		}
		return at;
	}

	private static boolean isSecret(String word) {
		return word.startsWith("sk-") || word.startsWith("org-")
				|| word.length() >= SECRET_LENGTH && word.chars().anyMatch(Character::isDigit);
	}

}
