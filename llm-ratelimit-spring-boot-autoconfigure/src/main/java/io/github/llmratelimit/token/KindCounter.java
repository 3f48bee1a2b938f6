package io.github.llmratelimit.token;

/**
 * Counts the characters of stretches of JSON strings by kind. Not thread-safe.
 */
final class KindCounter {

	private final long[] counts = new long[TextKind.VALUES.size()];

	private final AsciiCounter ascii = new AsciiCounter(this.counts);

	/** Where the last line break or tab ends. */
	private int breakEnd;

	/**
	 * Count a stretch that begins where a character does.
	 * @param body a JSON text
	 * @param from index of the first byte
	 * @param to index after the last byte; a character that begins before it is counted
	 * @param before the character before it, a blank if there is none
	 * @return index of the closing quote if there is one in the stretch, else where the
	 * last character ends
	 */
	int count(byte[] body, int from, int to, int before) {
		this.ascii.restartAfter(before);
		this.breakEnd = 0;
		int at = this.ascii.count(body, from, to);
		while (at < to && body[at] != '"') {
			at = (body[at] == '\\') ? escape(body, at) : beyondAscii(body, at, to);
			at = this.ascii.count(body, at, to);
		}
		return at;
	}

	/** What has been counted, by the ordinal of its kind. */
	long[] counts() {
		this.ascii.sum();
		return this.counts;
	}

	private int escape(byte[] body, int at) {
		int escape = (at + 1 < body.length) ? body[at + 1] : 0;
		boolean unicode = escape == 'u' && at + 6 <= body.length;
		int next = at + (unicode ? 6 : 2);
		character(unicode ? hex(body, at + 2) : meaning(escape), at, next);
		return next;
	}

	private static int meaning(int escape) {
		return switch (escape) {
			case 'b', 'f', 'n', 'r', 't' -> '\n';
			default -> escape;
		};
	}

	private void character(int character, int at, int next) {
		if (character >= 0x80) {
			add(TextKind.of(character), Character.isLowSurrogate((char) character) ? 0 : 1);
		}
		else if (character >= ' ') {
			this.ascii.add(character, 1);
		}
		else {
			add(TextKind.BREAK, (at == this.breakEnd) ? 0 : 1);
			this.breakEnd = next;
		}
	}

	private void add(TextKind kind, int characters) {
		this.counts[kind.ordinal()] += characters;
		this.ascii.restart();
	}

	private int beyondAscii(byte[] body, int from, int end) {
		int at = from;
		while (at < end && body[at] < 0) {
			int lead = body[at] & 0xff;
			add(kind(body, at, lead), 1);
			at += (lead < 0xe0) ? 2 : (lead < 0xf0) ? 3 : 4;
		}
		return at;
	}

	private static TextKind kind(byte[] body, int at, int lead) {
		if (lead < 0xe0) {
			return TextKind.of((lead & 0x1f) << 6);
		}
		if (lead >= 0xf0 || at + 1 >= body.length) {
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
