package io.github.llmratelimit.sample.ways;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimiter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The limiter itself around any code.
 */
@Configuration(proxyBeanMethods = false)
class LimiterWays {

	private static final LlmCall CALL = LlmCall.to("openai").withModel("gpt-4o-mini").withTokens(20, 40);

	private final LlmRateLimiter limiter;

	private final UnlimitedClient client;

	LimiterWays(LlmRateLimiter limiter, UnlimitedClient client) {
		this.limiter = limiter;
		this.client = client;
	}

	@Bean
	WayIn executeMono() {
		return new WayIn("execute, Mono", (question) -> this.limiter.execute(CALL, answer(question)));
	}

	@Bean
	WayIn executeFlux() {
		return new WayIn("execute, Flux", (question) -> this.limiter.execute(CALL, Flux.from(answer(question))).last());
	}

	private Mono<String> answer(String question) {
		return Mono.fromFuture(() -> this.client.askLater(question));
	}

	@Bean
	WayIn executeAsync() {
		return new WayIn("executeAsync", (question) -> Mono
			.fromFuture(() -> this.limiter.executeAsync(CALL, () -> this.client.askLater(question))));
	}

	@Bean
	WayIn executeBlocking() {
		return WayIn.blocking("executeBlocking",
				(question) -> this.limiter.executeBlocking(CALL, () -> this.client.ask(question)));
	}

}
