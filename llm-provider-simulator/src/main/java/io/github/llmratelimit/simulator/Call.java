package io.github.llmratelimit.simulator;

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
 * @param streamUsage whether a streamed answer reports its usage
 */
record Call(Kind kind, String key, String model, long promptTokens, int inputs, @Nullable Integer maxTokens,
		@Nullable Integer statedOutput, boolean stream, boolean streamUsage) {

	enum Kind {

		CHAT, EMBEDDINGS, ECHO

	}

	/** The output, of which so much was drawn, as {@code max_tokens} lets it be. */
	int outputTokens(int drawn) {
		if (this.kind != Kind.CHAT) {
			return 0;
		}
		int wanted = (this.statedOutput != null) ? this.statedOutput : drawn;
		return (this.maxTokens != null) ? Math.min(wanted, this.maxTokens) : wanted;
	}

	long charge(SimulatorOptions.Charging charging, int outputTokens) {
		int max = (this.maxTokens != null) ? this.maxTokens : 0;
		return switch (charging) {
			case ACTUAL -> this.promptTokens + outputTokens;
			case MAX_TOKENS -> Math.max(this.promptTokens, max);
			case PROMPT_PLUS_MAX -> this.promptTokens + max;
		};
	}

}
