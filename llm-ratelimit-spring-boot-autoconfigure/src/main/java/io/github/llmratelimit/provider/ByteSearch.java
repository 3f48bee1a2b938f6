package io.github.llmratelimit.provider;

import java.nio.ByteBuffer;

/**
 * Finds bytes in a buffer, looking at eight at a time. The buffer is left as it is.
 */
final class ByteSearch {

	private static final long ONES = 0x0101010101010101L;

	private static final long HIGH_BITS = 0x80 * ONES;

	private ByteSearch() {
	}

	/** Where the next quote or backslash is, {@code to} if there is none. */
	static int endOfPlain(ByteBuffer bytes, int from, int to) {
		int at = from;
		while (to - at >= Long.BYTES && (marks(bytes.getLong(at), '"') | marks(bytes.getLong(at), '\\')) == 0) {
			at += Long.BYTES;
		}
		while (at < to && bytes.get(at) != '"' && bytes.get(at) != '\\') {
			at++;
		}
		return at;
	}

	/** Where the next line break is, {@code to} if there is none. */
	static int endOfLine(ByteBuffer bytes, int from, int to) {
		int at = from;
		while (to - at >= Long.BYTES && (marks(bytes.getLong(at), '\n') | marks(bytes.getLong(at), '\r')) == 0) {
			at += Long.BYTES;
		}
		while (at < to && !isLineBreak(bytes.get(at))) {
			at++;
		}
		return at;
	}

	/**
	 * Skips words that have neither quotes nor brackets; stops before the next that has.
	 */
	static int skipUnstructured(ByteBuffer bytes, int from, int to) {
		int at = from;
		while (to - at >= Long.BYTES && isUnstructured(bytes.getLong(at))) {
			at += Long.BYTES;
		}
		return at;
	}

	static int countBeyondAscii(ByteBuffer bytes, int from, int to) {
		int count = 0;
		int at = from;
		for (; to - at >= Long.BYTES; at += Long.BYTES) {
			count += Long.bitCount(bytes.getLong(at) & HIGH_BITS);
		}
		for (; at < to; at++) {
			count += (bytes.get(at) < 0) ? 1 : 0;
		}
		return count;
	}

	static boolean isLineBreak(byte read) {
		return read == '\n' || read == '\r';
	}

	/** Braces are brackets with one more bit. */
	private static boolean isUnstructured(long word) {
		long braces = word | ('{' - '[') * ONES;
		return (marks(word, '"') | marks(braces, '{') | marks(braces, '}')) == 0;
	}

	/** Not 0 if any of eight bytes is this character. */
	private static long marks(long word, char character) {
		long difference = word ^ character * ONES;
		return (difference - ONES) & ~difference & HIGH_BITS;
	}

}
