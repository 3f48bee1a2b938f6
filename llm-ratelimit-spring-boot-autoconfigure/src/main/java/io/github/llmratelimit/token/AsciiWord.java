package io.github.llmratelimit.token;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes of a text at a time, as one number whose lowest byte comes first. What is
 * found in them is told by marks: the highest bit of each byte that it is true of.
 */
final class AsciiWord {

	/** Bytes that are looked at together before any of them is counted. */
	static final int BLOCK = 64;

	private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long ONES = 0x0101010101010101L;

	private static final long HIGH_BITS = 0x80 * ONES;

	private static final long QUOTES = '"' * ONES;

	private static final long BACKSLASHES = '\\' * ONES;

	private AsciiWord() {
	}

	/** Eight bytes, those after the end replaced by quotes. */
	static long read(byte[] body, int at, int end) {
		if (end - at >= Long.BYTES) {
			return read(body, at);
		}
		long word = QUOTES;
		for (int i = end - 1; i >= at; i--) {
			word = word << Byte.SIZE | body[i] & 0xff;
		}
		return word;
	}

	static long read(byte[] body, int at) {
		return (long) WORDS.get(body, at);
	}

	/** Index of the next quote, {@code end} if there is none. */
	static int quote(byte[] body, int from, int end) {
		int at = from;
		while (end - at >= BLOCK && !hasQuote(body, at)) {
			at += BLOCK;
		}
		long quotes = quotes(read(body, at, end));
		while (quotes == 0) {
			at += Long.BYTES;
			quotes = quotes(read(body, at, end));
		}
		return Math.min(at + before(quotes), end);
	}

	private static boolean hasQuote(byte[] body, int at) {
		long quotes = 0;
		for (int i = 0; i < BLOCK; i += Long.BYTES) {
			long difference = read(body, at + i) ^ QUOTES;
			quotes |= difference - ONES & ~difference;
		}
		return (quotes & HIGH_BITS) != 0;
	}

	/** Marks the first quote; marks above it are noise. */
	private static long quotes(long word) {
		long difference = word ^ QUOTES;
		return (difference - ONES) & ~difference & HIGH_BITS;
	}

	/**
	 * Marks the first quote, backslash or byte beyond ASCII; marks above it are noise.
	 */
	static long stops(long word) {
		return (word | (word ^ QUOTES) - ONES | (word ^ BACKSLASHES) - ONES) & HIGH_BITS;
	}

	/** Marks letters of a word of ASCII. */
	static long letters(long word) {
		long lower = word | ('a' - 'A') * ONES;
		return (lower + (0x80 - 'a') * ONES) & ~(lower + (0x7f - 'z') * ONES) & HIGH_BITS;
	}

	/** Marks those letters of a word of ASCII that are capitals. */
	static long capitals(long word, long letters) {
		return letters & ~(word << 2);
	}

	/** Marks digits of a word of ASCII. */
	static long digits(long word) {
		return (word + (0x80 - '0') * ONES) & ~(word + (0x7f - '9') * ONES) & HIGH_BITS;
	}

	/** Marks what is neither blank nor a control character in a word of ASCII. */
	static long visible(long word) {
		return word + (0x80 - '!') * ONES & HIGH_BITS;
	}

	/** How many bytes come before the first marked one. */
	static int before(long marks) {
		return Long.numberOfTrailingZeros(marks) / Byte.SIZE;
	}

}
