package io.github.llmratelimit.token;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Counts the characters of JSON strings by kind. Once there was enough of them, an eighth
 * of each long string is looked at and stands for all of it. Not thread-safe.
 */
final class TextCounter {

	/** So many bytes are counted without leaving any out. */
	private static final int COUNTED_WHOLE = 4096;

	/** So many bytes are looked at, and stand for eight times as many. */
	private static final int SAMPLE = 64;

	private static final int PLACES = 8;

	private static final int SPAN = SAMPLE * PLACES;

	private static final int LONGEST_ESCAPE = 6;

	private static final int LONGEST_CHARACTER = 4;

	private final KindCounter whole = new KindCounter();

	private @Nullable KindCounter samples;

	/** Bytes that may still be counted whole. */
	private int left = COUNTED_WHOLE;

	/** Where in its span the next sample is taken: it moves. */
	private int place;

	/** Bytes that were looked at as samples. */
	private long sampled;

	/** Bytes that they stand for. */
	private long represented;

	/**
	 * The end of a string.
	 * @param body a JSON text
	 * @param from index of a byte between its quotes, at which no escaped character ends
	 * @param end index after the last byte of the text
	 * @return index of the closing quote, {@code end} if there is none
	 */
	static int skip(byte[] body, int from, int end) {
		int quote = AsciiWord.quote(body, from, end);
		while (quote < end && isEscaped(body, from, quote)) {
			quote = AsciiWord.quote(body, quote + 1, end);
		}
		return quote;
	}

	private static boolean isEscaped(byte[] body, int from, int at) {
		int first = at;
		while (first > from && body[first - 1] == '\\') {
			first--;
		}
		return (at - first) % 2 != 0;
	}

	/**
	 * Count a string.
	 * @param body a JSON text
	 * @param from index of the first byte after the opening quote
	 * @param end index after the last byte of the text
	 * @return index of the closing quote, {@code end} if there is none
	 */
	int count(byte[] body, int from, int end) {
		int to = Math.min(end, from + this.left);
		int at = this.whole.count(body, from, to, ' ');
		this.left -= Math.min(at, to) - from;
		return (at < to || to == end) ? Math.min(at, end) : sample(body, at, end);
	}

	/** Counts a part of what remains of a string. */
	private int sample(byte[] body, int from, int end) {
		int to = skip(body, from, end);
		int at = from;
		while (to - at >= SPAN) {
			sample(body, beginningOfCharacter(body, at + SAMPLE * this.place));
			this.place = (this.place + 1) % PLACES;
			this.represented += SPAN;
			at += SPAN;
		}
		if (at < to) {
			this.whole.count(body, beginningOfCharacter(body, at), to, ' ');
		}
		return to;
	}

	private void sample(byte[] body, int from) {
		KindCounter samples = (this.samples != null) ? this.samples : new KindCounter();
		this.samples = samples;
		this.sampled += samples.count(body, from, from + SAMPLE, body[from - 1]) - from;
	}

	/** Where the character begins that a byte belongs to. */
	private static int beginningOfCharacter(byte[] body, int at) {
		for (int i = at - 1; i > Math.max(0, at - LONGEST_ESCAPE); i--) {
			if (body[i] == '\\' && (i == at - 1 || body[i + 1] == 'u')) {
				return i;
			}
		}
		int start = at;
		while ((body[start] & 0xc0) == 0x80 && at - start < LONGEST_CHARACTER) {
			start--;
		}
		return start;
	}

	TextCounts counts() {
		long[] counts = this.whole.counts();
		if (this.samples != null) {
			double weight = (double) this.represented / this.sampled;
			long[] samples = this.samples.counts();
			Arrays.setAll(counts, (i) -> counts[i] + Math.round(weight * samples[i]));
		}
		return new TextCounts(counts);
	}

}
