package io.github.llmratelimit.token;

/**
 * Counts the characters of JSON strings by kind, eight bytes at a time. Not thread-safe.
 */
final class TextCounter {

	/** So many words, 4 KB of prose, are counted without leaving any out. */
	private static final int COUNTED_WHOLE = 512;

	private static final String BREAKS = "bfnrt";

	private final long[] counts = new long[TextKind.VALUES.size()];

	private final AsciiCounter whole = new AsciiCounter(this.counts, 1);

	private final AsciiCounter samples = new AsciiCounter(this.counts, AsciiWord.BLOCK / Long.BYTES);

	/** Where the last line break or tab ends. */
	private int breakEnd = -1;

	/**
	 * The end of a string that is not counted.
	 * @param body a JSON text
	 * @param from index of the first byte after the opening quote
	 * @param end index after the last byte of the text
	 * @return index of the closing quote, {@code end} if there is none
	 */
	static int skip(byte[] body, int from, int end) {
		int at = from;
		while (end - at >= AsciiWord.BLOCK && AsciiWord.isPlainBlock(body, at)) {
			at += AsciiWord.BLOCK;
		}
		while (at < end) {
			long stops = AsciiWord.escapesAndQuotes(AsciiWord.read(body, at, end));
			if (stops == 0) {
				at += Long.BYTES;
				continue;
			}
			at += AsciiWord.before(stops);
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
		this.whole.restart();
		int at = plain(body, from, end);
		while (at < end && body[at] != '"') {
			at = (body[at] == '\\') ? escape(body, at, end) : beyondAscii(body, at, end);
			at = plain(body, at, end);
		}
		return Math.min(at, end);
	}

	TextCounts counts() {
		this.whole.sum();
		this.samples.sum();
		return new TextCounts(this.counts);
	}

	/**
	 * Counts ASCII up to the next quote, backslash or other character and returns where
	 * that is. Once there was enough of it, only every eighth word of a long run is
	 * looked at, at a place that moves, and stands for all eight.
	 */
	private int plain(byte[] body, int from, int end) {
		int at = (this.whole.words() + this.samples.words() > COUNTED_WHOLE) ? sampled(body, from, end) : from;
		long word = AsciiWord.read(body, at, end);
		long stops = AsciiWord.stops(word);
		while (stops == 0) {
			this.whole.add(word, Long.BYTES);
			at += Long.BYTES;
			if (this.whole.words() == COUNTED_WHOLE) {
				at = sampled(body, at, end);
			}
			word = AsciiWord.read(body, at, end);
			stops = AsciiWord.stops(word);
		}
		int length = AsciiWord.before(stops);
		if (length > 0) {
			this.whole.add(word & (1L << length * Byte.SIZE) - 1, length);
		}
		return at + length;
	}

	private int sampled(byte[] body, int from, int end) {
		int at = from;
		this.samples.restartAfter(this.whole);
		while (end - at >= AsciiWord.BLOCK && AsciiWord.isPlainBlock(body, at)) {
			int sample = at + (at >>> 3 & AsciiWord.BLOCK - Long.BYTES);
			if (sample > from) {
				this.samples.restartAfter(body[sample - 1]);
			}
			this.samples.add(AsciiWord.read(body, sample), Long.BYTES);
			at += AsciiWord.BLOCK;
		}
		if (at > from) {
			this.whole.restartAfter(body[at - 1]);
		}
		return at;
	}

	private int escape(byte[] body, int at, int end) {
		int escape = (at + 1 < end) ? body[at + 1] : 0;
		boolean unicode = escape == 'u' && at + 6 <= end;
		int next = at + (unicode ? 6 : 2);
		character(unicode ? hex(body, at + 2) : (BREAKS.indexOf(escape) < 0) ? escape : '\n', at, next);
		return next;
	}

	private void character(int character, int at, int next) {
		if (character >= 0x80) {
			add(TextKind.of(character), Character.isLowSurrogate((char) character) ? 0 : 1);
		}
		else if (character >= ' ') {
			this.whole.add(character, 1);
		}
		else {
			add(TextKind.BREAK, (at == this.breakEnd) ? 0 : 1);
			this.breakEnd = next;
		}
	}

	private void add(TextKind kind, int characters) {
		this.counts[kind.ordinal()] += characters;
		this.whole.restart();
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

	private static int hex(byte[] body, int at) {
		int value = 0;
		for (int i = at; i < at + 4; i++) {
			value = value << 4 | Character.digit(body[i], 16) & 0xf;
		}
		return value;
	}

}
