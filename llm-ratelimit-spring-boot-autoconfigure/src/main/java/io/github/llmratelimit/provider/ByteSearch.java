package io.github.llmratelimit.provider;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds bytes in an array, looking at eight at a time.
 */
final class ByteSearch {

	private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long ONES = 0x0101010101010101L;

	private static final long HIGH_BITS = 0x80 * ONES;

	private ByteSearch() {
	}

	/** Where the next quote or backslash is, {@code to} if there is none. */
	static int endOfPlain(byte[] bytes, int from, int to) {
		int at = from;
		while (to - at >= Long.BYTES) {
			long word = word(bytes, at);
			long marks = marks(word, '"') | marks(word, '\\');
			if (marks != 0) {
				return at + firstByte(marks);
			}
			at += Long.BYTES;
		}
		while (at < to && bytes[at] != '"' && bytes[at] != '\\') {
			at++;
		}
		return at;
	}

	/** Where the next line break is, {@code to} if there is none. */
	static int endOfLine(byte[] bytes, int from, int to) {
		int at = from;
		while (to - at >= Long.BYTES) {
			long word = word(bytes, at);
			long marks = marks(word, '\n') | marks(word, '\r');
			if (marks != 0) {
				return at + firstByte(marks);
			}
			at += Long.BYTES;
		}
		while (at < to && !isLineBreak(bytes[at])) {
			at++;
		}
		return at;
	}

	/**
	 * Skips words that have neither quotes nor brackets; stops before the next that has.
	 */
	static int skipUnstructured(byte[] bytes, int from, int to) {
		int at = from;
		while (to - at >= Long.BYTES && isUnstructured(word(bytes, at))) {
			at += Long.BYTES;
		}
		return at;
	}

	static int countBeyondAscii(byte[] bytes, int from, int to) {
		int count = 0;
		int at = from;
		for (; to - at >= Long.BYTES; at += Long.BYTES) {
			count += Long.bitCount(word(bytes, at) & HIGH_BITS);
		}
		for (; at < to; at++) {
			count += (bytes[at] < 0) ? 1 : 0;
		}
		return count;
	}

	static boolean isLineBreak(byte read) {
		return read == '\n' || read == '\r';
	}

	/** Whether this ends a number, or a word such as {@code null}. */
	static boolean isDelimiter(byte read) {
		return switch (read) {
			case ',', ':', '"', '{', '}', '[', ']', ' ', '\t', '\r', '\n' -> true;
			default -> false;
		};
	}

	/** Braces are brackets with one more bit. */
	private static boolean isUnstructured(long word) {
		long braces = word | ('{' - '[') * ONES;
		return (marks(word, '"') | marks(braces, '{') | marks(braces, '}')) == 0;
	}

	private static long word(byte[] bytes, int at) {
		return (long) WORDS.get(bytes, at);
	}

	/** Which of eight bytes is the first with a mark; later marks may be wrong. */
	private static int firstByte(long marks) {
		return Long.numberOfTrailingZeros(marks) / Byte.SIZE;
	}

	/** Not 0 if any of eight bytes is this character; the lowest mark is right. */
	private static long marks(long word, char character) {
		long difference = word ^ character * ONES;
		return (difference - ONES) & ~difference & HIGH_BITS;
	}

}
