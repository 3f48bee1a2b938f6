package io.github.llmratelimit.simulator.dialect;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the model wrote, before it is put into a provider's form. Immutable.
 *
 * @param call the admitted call
 * @param number of the answer
 * @param outputTokens how much it wrote
 * @param now when it is given
 */
record Answer(Call call, long number, int outputTokens, Instant now) {

	private static final int TOKENS_PER_PIECE = 8;

	String text() {
		return TokenCount.textOf(this.outputTokens);
	}

	/** The text in the pieces of a stream; none if it is empty. */
	List<Piece> pieces() {
		String text = text();
		return IntStream.iterate(0, (from) -> from < this.outputTokens, (from) -> from + TOKENS_PER_PIECE)
			.mapToObj((from) -> piece(text, from, Math.min(this.outputTokens, from + TOKENS_PER_PIECE)))
			.toList();
	}

	private static Piece piece(String text, int from, int to) {
		return new Piece(text.substring(from * 4, to * 4), to);
	}

	String id(String prefix) {
		return prefix + "simulated-" + this.number;
	}

	long created() {
		return this.now.getEpochSecond();
	}

	long totalTokens() {
		return this.call.promptTokens() + this.outputTokens;
	}

	/** Why the text ends, in the provider's words. */
	String ending(String done, String cut) {
		Integer max = this.call.maxTokens();
		return (max != null && this.outputTokens == max) ? cut : done;
	}

	/**
	 * A piece of the text.
	 *
	 * @param text what is new
	 * @param written tokens from the start to its end
	 */
	record Piece(String text, int written) {
	}

}
