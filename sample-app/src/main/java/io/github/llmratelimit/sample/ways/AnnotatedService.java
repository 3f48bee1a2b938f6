package io.github.llmratelimit.sample.ways;

import java.util.concurrent.CompletableFuture;

import io.github.llmratelimit.annotation.LlmRateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Methods that wait by annotation, whatever client they use.
 */
@Service
@LlmRateLimited(provider = "openai", model = "gpt-4o-mini", tokens = "#question.length() / 4 + 40")
class AnnotatedService {

	private final UnlimitedClient client;

	AnnotatedService(UnlimitedClient client) {
		this.client = client;
	}

	public String blocking(String question) {
		return this.client.ask(question);
	}

	public CompletableFuture<String> future(String question) {
		return this.client.askLater(question);
	}

	public Mono<String> mono(String question) {
		return Mono.fromFuture(() -> this.client.askLater(question));
	}

	public Flux<String> flux(String question) {
		return mono(question).flux();
	}

}
