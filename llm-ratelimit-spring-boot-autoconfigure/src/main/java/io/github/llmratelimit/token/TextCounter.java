package io.github.llmratelimit.token;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Counts the characters of JSON strings by kind, eight bytes at a time. Not thread-safe.
 */
final class TextCounter {

	private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final int BLOCK = 32;

	private static final int WORDS_PER_BLOCK = BLOCK / Long.BYTES;

	private static final long ONES = 0x0101010101010101L;

	private static final long HIGH_BITS = 0x80 * ONES;

	private static final long QUOTES = '"' * ONES;

	private static final long BACKSLASHES = '\\' * ONES;

	private final long[] scripts = new long[Script.values().length];

	private long ascii;

	private long letters;

	private long digits;

	/**
	 * The end of a string that is not counted.
	 * @param body a JSON text
	 * @param from index of the first byte after the opening quote
	 * @param end index after the last byte of the text
	 * @return index of the closing quote, {@code end} if there is none
	 */
	static int skip(byte[] body, int from, int end) {
		int at = from;
		while (at < end) {
			long word = word(body, at, end);
			long stops = matches(word, QUOTES) | matches(word, BACKSLASHES);
			if (stops == 0) {
				at += Long.BYTES;
				continue;
			}
			at += firstByte(stops);
			if (at >= end || body[at] == '"') {
				break;
			}
			at += 2;
		}
		return Math.min(at, end);
	}

	/**
	 * Count a string.
	 * @param body a JSON text
	 * @param from index of the first byte after the opening quote
	 * @param end index after the last byte of the text
	 * @return index of the closing quote, {@code end} if there is none
	 */
	int count(byte[] body, int from, int end) {
		int at = plain(body, from, end);
		while (at < end && body[at] != '"') {
			at = (body[at] == '\\') ? escape(body, at, end) : beyondAscii(body, at, end);
			at = plain(body, at, end);
		}
		return Math.min(at, end);
	}

	TextCounts counts() {
		return new TextCounts(this.letters, this.digits, this.ascii - this.letters - this.digits, of(Script.HAN),
				of(Script.SYLLABIC), of(Script.ALPHABETIC), of(Script.OTHER));
	}

	private long of(Script script) {
		return this.scripts[script.ordinal()];
	}

	/**
	 * Counts ASCII up to the next quote, backslash or other character and returns where
	 * that is. Of a long run only every fourth word is sorted by kind, at a place that
	 * moves, and stands for all four.
	 */
	private int plain(byte[] body, int from, int end) {
		int at = from;
		long letters = 0;
		long digits = 0;
		while (end - at >= BLOCK && isPlainBlock(body, at)) {
			long sample = word(body, at + (at >>> 2 & BLOCK - Long.BYTES));
			letters += WORDS_PER_BLOCK * Long.bitCount(letters(sample));
			digits += WORDS_PER_BLOCK * Long.bitCount(digits(sample));
			at += BLOCK;
		}
		long word = word(body, at, end);
		long stops = stops(word);
		while (stops == 0) {
			letters += Long.bitCount(letters(word));
			digits += Long.bitCount(digits(word));
			at += Long.BYTES;
			word = word(body, at, end);
			stops = stops(word);
		}
		long before = (stops & -stops) - 1;
		this.letters += letters + Long.bitCount(letters(word) & before);
		this.digits += digits + Long.bitCount(digits(word) & before);
		at += firstByte(stops);
		this.ascii += at - from;
		return at;
	}

	private int escape(byte[] body, int at, int end) {
		if (at + 6 <= end && body[at + 1] == 'u') {
			escaped(hex(body, at + 2));
			return at + 6;
		}
		this.ascii++;
		return at + 2;
	}

	private void escaped(int character) {
		if (character >= 0x80) {
			this.scripts[Script.of(character).ordinal()] += Character.isLowSurrogate((char) character) ? 0 : 1;
			return;
		}
		this.ascii++;
		this.letters += Character.isLetter(character) ? 1 : 0;
		this.digits += Character.isDigit(character) ? 1 : 0;
	}

	private int beyondAscii(byte[] body, int from, int end) {
		int at = from;
		while (at < end && body[at] < 0) {
			int lead = body[at] & 0xff;
			int length = (lead < 0xe0) ? 2 : (lead < 0xf0) ? 3 : 4;
			this.scripts[script(body, at, lead, end).ordinal()]++;
			at += length;
		}
		return at;
	}

	private static Script script(byte[] body, int at, int lead, int end) {
		if (lead < 0xe0) {
			return (lead < 0xc3) ? Script.OTHER : Script.ALPHABETIC;
		}
		if (lead >= 0xf0 || at + 1 >= end) {
			return Script.OTHER;
		}
		return Script.of((lead & 0x0f) << 12 | (body[at + 1] & 0x3f) << 6);
	}

	/** Eight bytes, those after the end replaced by quotes. */
	private static long word(byte[] body, int at, int end) {
		if (end - at >= Long.BYTES) {
			return word(body, at);
		}
		long word = QUOTES;
		for (int i = end - 1; i >= at; i--) {
			word = word << Byte.SIZE | body[i] & 0xff;
		}
		return word;
	}

	private static long word(byte[] body, int at) {
		return (long) WORDS.get(body, at);
	}

	private static boolean isPlainBlock(byte[] body, int at) {
		return (stops(word(body, at)) | stops(word(body, at + 8)) | stops(word(body, at + 16))
				| stops(word(body, at + 24))) == 0;
	}

	/**
	 * Marks the first quote, backslash or byte beyond ASCII; marks above it are noise.
	 */
	private static long stops(long word) {
		return (word | (word ^ QUOTES) - ONES | (word ^ BACKSLASHES) - ONES) & HIGH_BITS;
	}

	/** Marks the first byte that equals the pattern's; marks above it are noise. */
	private static long matches(long word, long pattern) {
		long difference = word ^ pattern;
		return (difference - ONES) & ~difference & HIGH_BITS;
	}

	/** Marks letters; a byte beyond ASCII disturbs only the marks above it. */
	private static long letters(long word) {
		long lower = word | ('a' - 'A') * ONES;
		return (lower + (0x80 - 'a') * ONES) & ~(lower + (0x7f - 'z') * ONES) & HIGH_BITS;
	}

	/** Marks digits, in the same way. */
	private static long digits(long word) {
		return (word + (0x80 - '0') * ONES) & ~(word + (0x7f - '9') * ONES) & HIGH_BITS;
	}

	private static int firstByte(long marks) {
		return Long.numberOfTrailingZeros(marks) / Byte.SIZE;
	}

	private static int hex(byte[] body, int at) {
		int value = 0;
		for (int i = at; i < at + 4; i++) {
			value = value << 4 | Character.digit(body[i], 16) & 0xf;
		}
		return value;
	}

}
