package io.github.llmratelimit.simulator.dialect;

import org.jspecify.annotations.Nullable;

/**
 * One call as the provider understands it. Immutable.
 *
 * @param kind which API is called
 * @param key the API key, empty if none was sent
 * @param model the model's name
 * @param promptTokens tokens the caller sends
 * @param inputs number of texts to embed
 * @param maxTokens the most the caller wants back, or unlimited
 * @param statedOutput the output the caller told the simulator to produce, or drawn
 * @param stream whether the answer is streamed
 * @param streamOption whether the one option of a streamed answer is set: OpenAI's
 * {@code include_usage}, DashScope's {@code incremental_output}
 */
public record Call(Kind kind, String key, String model, long promptTokens, int inputs, @Nullable Integer maxTokens,
		@Nullable Integer statedOutput, boolean stream, boolean streamOption) {

	/** Which API is called. */
	public enum Kind {

		CHAT, EMBEDDINGS, ECHO

	}

	static Call echo(String key) {
		return new Call(Kind.ECHO, key, "echo", 0, 0, null, null, false, false);
	}

	/** The output, of which so much was drawn, as {@code max_tokens} lets it be. */
	public int outputTokens(int drawn) {
		if (this.kind != Kind.CHAT) {
			return 0;
		}
		int wanted = (this.statedOutput != null) ? this.statedOutput : drawn;
		return (this.maxTokens != null) ? Math.min(wanted, this.maxTokens) : wanted;
	}

}
