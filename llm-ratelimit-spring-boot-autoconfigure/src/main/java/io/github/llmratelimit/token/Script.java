package io.github.llmratelimit.token;

import java.util.Arrays;

/**
 * Kinds of characters beyond ASCII. Characters of one kind make about the same number of
 * tokens each.
 */
enum Script {

	/** Chinese characters and full-width punctuation. */
	HAN(range(0x2000, 0x206f), range(0x2e80, 0x303f), range(0x3190, 0x9fff), range(0xf900, 0xfaff),
			range(0xfe30, 0xfe4f), range(0xff00, 0xffef)),

	/** Japanese and Korean syllables. */
	SYLLABIC(range(0x1100, 0x11ff), range(0x3040, 0x318f), range(0xac00, 0xd7af)),

	/** Letters that make words: accented Latin, Greek, Cyrillic, Hebrew, Arabic. */
	ALPHABETIC(range(0xc0, 0x7ff), range(0x1e00, 0x1fff)),

	/** Everything else: emoji, symbols, Indic and other scripts. */
	OTHER;

	/** Script of each block of 64 characters in the basic plane; blocks suffice. */
	private static final Script[] BLOCKS = blocks();

	private final int[][] ranges;

	Script(int[]... ranges) {
		this.ranges = ranges;
	}

	static Script of(int codePoint) {
		return (codePoint <= Character.MAX_VALUE) ? BLOCKS[codePoint >>> 6] : OTHER;
	}

	private static Script[] blocks() {
		Script[] blocks = new Script[(Character.MAX_VALUE >>> 6) + 1];
		Arrays.fill(blocks, OTHER);
		for (Script script : values()) {
			for (int[] range : script.ranges) {
				Arrays.fill(blocks, range[0] >>> 6, (range[1] >>> 6) + 1, script);
			}
		}
		return blocks;
	}

	private static int[] range(int first, int last) {
		return new int[] { first, last };
	}

}
