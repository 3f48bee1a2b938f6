package io.github.llmratelimit.token;

import java.util.Arrays;
import java.util.List;

/**
 * What texts are counted by. Each kind makes about the same number of tokens wherever it
 * occurs; how many was fitted by least squares of the relative errors to prose, source
 * code and data of the kinds that applications send, a little upwards, because to
 * estimate too little costs a refusal and to estimate too much only a moment.
 */
enum TextKind {

	/** Letters in a row. */
	WORD(0.62, 0.58),

	LETTER(0.10, 0.11),

	/**
	 * Capitals behind another one: words are cut smaller that are known in small letters.
	 */
	CAPITAL(0.15, 0.14),

	/** Letters behind fifteen others or so, which are no word any more. */
	UNBROKEN(0.45, 0.41),

	/** Digits in a row. */
	NUMBER(1.10, 1.15),

	DIGIT(0.23, 0.20),

	/** Other characters of ASCII in a row, without blanks. */
	SYMBOLS(0.52, 0.52),

	SYMBOL(0.21, 0.24),

	/** Line breaks and tabs in a row. */
	BREAK(1.30, 1.40),

	/** Chinese characters and full-width punctuation. */
	HAN(1.26, 0.83, 0x2e80, 0x303f, 0x3100, 0x313f, 0x3180, 0x9fff, 0xf900, 0xfaff, 0xfe40, 0xfe7f, 0xff00, 0xffff),

	/** Japanese syllables. */
	KANA(0.95, 0.71, 0x3040, 0x30ff),

	/** Korean syllables. */
	HANGUL(1.45, 0.79, 0x1100, 0x11ff, 0x3140, 0x317f, 0xac00, 0xd7ff),

	/** Accented letters of Western Europe; the words that they break count as several. */
	LATIN(1.90, 0.60, 0xc0, 0xff),

	/** Accented letters of Eastern Europe and others. */
	LATIN_EXTENDED(1.90, 1.10, 0x100, 0x2ff),

	/** Vietnamese letters break so many words that nothing is to be added. */
	LATIN_VIETNAMESE(0, 0, 0x1e00, 0x1eff),

	CYRILLIC(0.55, 0.32, 0x400, 0x53f),

	GREEK(1.06, 0.41, 0x380, 0x3ff, 0x1f00, 0x1fff),

	HEBREW(1.25, 0.50, 0x580, 0x5ff),

	ARABIC(0.88, 0.34, 0x600, 0x7bf),

	INDIC(1.39, 0.36, 0x900, 0xdff),

	THAI(1.03, 0.42, 0xe00, 0xeff),

	/** Dashes, quotation marks, signs. */
	TYPOGRAPHY(1, 1, 0x80, 0xbf, 0x2000, 0x207f),

	/** Everything else, such as emoji. */
	OTHER(2.65, 1.80);

	static final List<TextKind> VALUES = List.of(values());

	/** Kind of each block of 64 characters in the basic plane; blocks suffice. */
	private static final TextKind[] BLOCKS = blocks();

	private final double[] tokens;

	private final int[] ranges;

	TextKind(double cl100k, double o200k, int... ranges) {
		this.tokens = new double[] { cl100k, o200k };
		this.ranges = ranges;
	}

	/** The kind of a character beyond ASCII. */
	static TextKind of(int codePoint) {
		return (codePoint <= Character.MAX_VALUE) ? BLOCKS[codePoint >>> 6] : OTHER;
	}

	double tokens(Vocabulary vocabulary) {
		return this.tokens[vocabulary.ordinal()];
	}

	private static TextKind[] blocks() {
		TextKind[] blocks = new TextKind[(Character.MAX_VALUE >>> 6) + 1];
		Arrays.fill(blocks, OTHER);
		for (TextKind kind : VALUES) {
			for (int i = 0; i < kind.ranges.length; i += 2) {
				Arrays.fill(blocks, kind.ranges[i] >>> 6, (kind.ranges[i + 1] >>> 6) + 1, kind);
			}
		}
		return blocks;
	}

}
