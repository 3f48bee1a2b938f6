package io.github.llmratelimit.token;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Counts the characters of JSON strings by kind, eight bytes at a time. Not thread-safe.
 */
final class TextCounter {

	private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final int BLOCK = 64;

	private static final int WORDS_PER_BLOCK = BLOCK / Long.BYTES;

	/** So many words, 4 KB of prose, are counted without leaving any out. */
	private static final int COUNTED_WHOLE = 512;

	private static final long ONES = 0x0101010101010101L;

	private static final long HIGH_BITS = 0x80 * ONES;

	private static final long QUOTES = '"' * ONES;

	private static final long BACKSLASHES = '\\' * ONES;

	private static final String BREAKS = "bfnrt";

	/** In the place of a character that no run goes on from. */
	private static final long NONE = ' ';

	private final long[] counts = new long[TextKind.VALUES.size()];

	/** Words counted so far. */
	private long counted;

	/** The character before the next one. */
	private long previous;

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
		this.previous = NONE;
		int at = plain(body, from, end);
		while (at < end && body[at] != '"') {
			at = (body[at] == '\\') ? escape(body, at, end) : beyondAscii(body, at, end);
			at = plain(body, at, end);
		}
		return Math.min(at, end);
	}

	TextCounts counts() {
		return new TextCounts(this.counts);
	}

	/**
	 * Counts ASCII up to the next quote, backslash or other character and returns where
	 * that is. Once there was enough of it, only every eighth word of a long run is
	 * looked at, at a place that moves, and stands for all eight.
	 */
	private int plain(byte[] body, int from, int end) {
		int at = (this.counted > COUNTED_WHOLE) ? sampled(body, from, end) : from;
		long word = word(body, at, end);
		long stops = stops(word);
		while (stops == 0) {
			add(word, HIGH_BITS, 1);
			this.previous = word >>> 56;
			at += Long.BYTES;
			if (this.counted == COUNTED_WHOLE) {
				at = sampled(body, at, end);
			}
			word = word(body, at, end);
			stops = stops(word);
		}
		int length = firstByte(stops);
		if (length > 0) {
			add(word, HIGH_BITS & (stops & -stops) - 1, 1);
			this.previous = body[at + length - 1];
		}
		return at + length;
	}

	private int sampled(byte[] body, int from, int end) {
		int at = from;
		while (end - at >= BLOCK && isPlainBlock(body, at)) {
			int sample = at + (at >>> 3 & BLOCK - Long.BYTES);
			this.previous = (sample > at) ? body[sample - 1] : this.previous;
			add(word(body, sample), HIGH_BITS, WORDS_PER_BLOCK);
			at += BLOCK;
			this.previous = body[at - 1];
		}
		return at;
	}

	private void add(long word, long taken, int weight) {
		this.counted++;
		long letters = letters(word);
		long digits = digits(word);
		long symbols = visible(word) & ~letters & ~digits;
		long beforeLetter = letters(this.previous);
		long beforeDigit = digits(this.previous);
		long beforeSymbol = visible(this.previous) & ~beforeLetter & ~beforeDigit;
		add(TextKind.LETTER, TextKind.WORD, letters & taken, beforeLetter, weight);
		add(TextKind.DIGIT, TextKind.NUMBER, digits & taken, beforeDigit, weight);
		add(TextKind.SYMBOL, TextKind.SYMBOLS, symbols & taken, beforeSymbol, weight);
	}

	/** Counts marks, and those that do not follow another one. */
	private void add(TextKind one, TextKind run, long marks, long before, int weight) {
		this.counts[one.ordinal()] += (long) weight * Long.bitCount(marks);
		this.counts[run.ordinal()] += (long) weight * Long.bitCount(marks & ~(marks << Byte.SIZE | before & 0x80));
	}

	private int escape(byte[] body, int at, int end) {
		int escape = (at + 1 < end) ? body[at + 1] : 0;
		if (escape == 'u' && at + 6 <= end) {
			character(hex(body, at + 2));
			return at + 6;
		}
		character((BREAKS.indexOf(escape) < 0) ? escape : '\n');
		return at + 2;
	}

	private void character(int character) {
		if (character >= 0x80) {
			add(TextKind.of(character), Character.isLowSurrogate((char) character) ? 0 : 1);
		}
		else if (character < ' ') {
			add(TextKind.BREAK, (this.previous != '\n') ? 1 : 0);
			this.previous = '\n';
		}
		else {
			add(character, 0x80, 1);
			this.previous = character;
		}
	}

	private void add(TextKind kind, int characters) {
		this.counts[kind.ordinal()] += characters;
		this.previous = NONE;
	}

	private int beyondAscii(byte[] body, int from, int end) {
		int at = from;
		while (at < end && body[at] < 0) {
			int lead = body[at] & 0xff;
			add(kind(body, at, lead, end), 1);
			at += (lead < 0xe0) ? 2 : (lead < 0xf0) ? 3 : 4;
		}
		return at;
	}

	private static TextKind kind(byte[] body, int at, int lead, int end) {
		if (lead < 0xe0) {
			return TextKind.of((lead & 0x1f) << 6);
		}
		if (lead >= 0xf0 || at + 1 >= end) {
			return TextKind.OTHER;
		}
		return TextKind.of((lead & 0x0f) << 12 | (body[at + 1] & 0x3f) << 6);
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
		long stops = 0;
		for (int i = at; i < at + BLOCK; i += Long.BYTES) {
			stops |= stops(word(body, i));
		}
		return stops == 0;
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

	/** Marks what is neither blank nor a control character, in the same way. */
	private static long visible(long word) {
		return word + (0x80 - '!') * ONES & HIGH_BITS;
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
