package io.github.llmratelimit.sample.demo;

import io.github.llmratelimit.sample.provider.ChatClient;
import io.github.llmratelimit.sample.provider.Completion;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A way of dealing with refusals.
 *
 * @param name its name in the table
 * @param client sends the calls
 * @param retry when to send a refused call again
 */
record Strategy(String name, ChatClient client, Retry retry) {

	Mono<Completion> send(Prompt prompt) {
		return this.client.complete(prompt.text(), prompt.maxTokens()).retryWhen(this.retry);
	}

}
