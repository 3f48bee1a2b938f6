package io.github.llmratelimit.sample.demo;

import io.github.llmratelimit.sample.provider.Completion;

/**
 * What one call asks.
 *
 * @param text the message
 * @param maxTokens the longest answer
 */
record Prompt(String text, int maxTokens) {

	/** What the provider charged: the larger of the prompt and the longest answer. */
	long charge(Completion completion) {
		return Math.max(completion.promptTokens(), this.maxTokens);
	}

}
