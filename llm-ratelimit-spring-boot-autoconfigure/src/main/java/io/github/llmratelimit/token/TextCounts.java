package io.github.llmratelimit.token;

/**
 * How much there is of each kind of text. Immutable.
 */
public final class TextCounts {

	static final TextCounts NONE = new TextCounts(new long[TextKind.VALUES.size()]);

	private final long[] counts;

	TextCounts(long[] counts) {
		this.counts = counts.clone();
	}

	/**
	 * About how many tokens the texts have, without looking them up.
	 * @param vocabulary what they are cut into
	 * @return tokens, 0 or more
	 */
	public double tokens(Vocabulary vocabulary) {
		double tokens = 0;
		for (TextKind kind : TextKind.VALUES) {
			tokens += kind.tokens(vocabulary) * of(kind);
		}
		return tokens;
	}

	long of(TextKind kind) {
		return this.counts[kind.ordinal()];
	}

}
