package io.github.llmratelimit.sample.ways;

import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A method of each kind with {@code @LlmRateLimited}.
 */
@Configuration(proxyBeanMethods = false)
class AnnotatedWays {

	@Bean
	WayIn annotatedBlocking(AnnotatedService service) {
		return WayIn.blocking("@LlmRateLimited, blocking", service::blocking);
	}

	@Bean
	WayIn annotatedFuture(AnnotatedService service) {
		return new WayIn("@LlmRateLimited, CompletableFuture",
				(question) -> Mono.fromFuture(() -> service.future(question)));
	}

	@Bean
	WayIn annotatedMono(AnnotatedService service) {
		return new WayIn("@LlmRateLimited, Mono", service::mono);
	}

	@Bean
	WayIn annotatedFlux(AnnotatedService service) {
		return new WayIn("@LlmRateLimited, Flux", (question) -> service.flux(question).last());
	}

}
