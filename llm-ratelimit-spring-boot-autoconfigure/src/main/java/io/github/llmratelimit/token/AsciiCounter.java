package io.github.llmratelimit.token;

/**
 * Counts the letters, digits and symbols of ASCII text and the runs that they form, eight
 * characters at a time: each byte of a word has a counter of its own until that could
 * overflow. Not thread-safe.
 */
final class AsciiCounter {

	private static final int KIND_BITS = 7;

	private static final long LETTER = 0x0101010101010101L;

	private static final long DIGIT = 2 * LETTER;

	private static final long SYMBOL = 4 * LETTER;

	private static final long CAPITAL = 8 * LETTER;

	/** So many words are added up byte by byte. */
	private static final int BATCH = 128;

	private static final long EVEN_BYTES = 0x00ff00ff00ff00ffL;

	private static final long SUM = 0x0001000100010001L;

	private final long[] counts;

	/** So many words have been added up since. */
	private int words;

	/** The kinds of the character before the next one, 0 if it is none of them. */
	private long before;

	/** Whether nothing but letters comes before the next word. */
	private boolean unbroken;

	private long letters;

	private long letterRuns;

	private long digits;

	private long digitRuns;

	private long symbols;

	private long symbolRuns;

	private long followingCapitals;

	private long unbrokenLetters;

	/**
	 * Create a counter.
	 * @param counts where to add what is found to, by the ordinal of its kind
	 */
	AsciiCounter(long[] counts) {
		this.counts = counts;
	}

	/** The next character follows no character of ASCII. */
	void restart() {
		this.before = 0;
		this.unbroken = false;
	}

	/** The next character follows this one. */
	void restartAfter(int character) {
		this.before = (character >= 0) ? kinds(character) & 0xff : 0;
		this.unbroken = (this.before & LETTER) != 0;
	}

	/**
	 * Count ASCII up to the next quote, backslash or other character.
	 * @param body a JSON text
	 * @param from index of the first byte
	 * @param to index after the last byte
	 * @return index of what is not counted, {@code to} if all is
	 */
	int count(byte[] body, int from, int to) {
		int at = from;
		long word = AsciiWord.read(body, at, to);
		long stops = AsciiWord.stops(word);
		while (stops == 0) {
			add(word, Long.BYTES);
			at += Long.BYTES;
			word = AsciiWord.read(body, at, to);
			stops = AsciiWord.stops(word);
		}
		int length = AsciiWord.before(stops);
		if (length > 0) {
			add(word & (1L << length * Byte.SIZE) - 1, length);
		}
		return at + length;
	}

	/**
	 * Count a word.
	 * @param word ASCII, zeros behind its end
	 * @param length how many bytes it has
	 */
	void add(long word, int length) {
		long kinds = kinds(word);
		long before = kinds << Byte.SIZE | this.before;
		long starts = kinds & ~before;
		long letters = kinds & LETTER;
		this.before = kinds >>> Byte.SIZE * (length - 1) & 0xff;
		this.letters += letters;
		this.letterRuns += starts & LETTER;
		this.digits += (kinds & DIGIT) >>> 1;
		this.digitRuns += (starts & DIGIT) >>> 1;
		this.symbols += (kinds & SYMBOL) >>> 2;
		this.symbolRuns += (starts & SYMBOL) >>> 2;
		this.followingCapitals += (kinds & before & CAPITAL) >>> 3;
		if (letters != LETTER) {
			this.unbroken = false;
		}
		else if (this.unbroken) {
			this.unbrokenLetters += LETTER;
		}
		else {
			this.unbroken = true;
		}
		if (++this.words == BATCH) {
			sum();
		}
	}

	private static long kinds(long word) {
		long letters = AsciiWord.letters(word);
		long digits = AsciiWord.digits(word);
		long symbols = AsciiWord.visible(word) & ~letters & ~digits;
		long capitals = AsciiWord.capitals(word, letters);
		return letters >>> KIND_BITS | digits >>> KIND_BITS - 1 | symbols >>> KIND_BITS - 2
				| capitals >>> KIND_BITS - 3;
	}

	/** Brings the counts up to date. */
	void sum() {
		if (this.words == 0) {
			return;
		}
		this.words = 0;
		add(TextKind.LETTER, this.letters);
		add(TextKind.WORD, this.letterRuns);
		add(TextKind.DIGIT, this.digits);
		add(TextKind.NUMBER, this.digitRuns);
		add(TextKind.SYMBOL, this.symbols);
		add(TextKind.SYMBOLS, this.symbolRuns);
		add(TextKind.CAPITAL, this.followingCapitals);
		add(TextKind.UNBROKEN, this.unbrokenLetters);
		this.letters = 0;
		this.letterRuns = 0;
		this.digits = 0;
		this.digitRuns = 0;
		this.symbols = 0;
		this.symbolRuns = 0;
		this.followingCapitals = 0;
		this.unbrokenLetters = 0;
	}

	private void add(TextKind kind, long byByte) {
		long pairs = (byByte & EVEN_BYTES) + (byByte >>> Byte.SIZE & EVEN_BYTES);
		this.counts[kind.ordinal()] += pairs * SUM >>> 3 * Short.SIZE;
	}

}
