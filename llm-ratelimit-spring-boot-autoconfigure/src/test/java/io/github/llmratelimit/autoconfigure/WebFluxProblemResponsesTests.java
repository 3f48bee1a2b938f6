package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.LlmRateLimitException.Reason;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Tests for {@link LlmRateLimitProblemResponsesAutoConfiguration} with WebFlux.
 */
class WebFluxProblemResponsesTests extends ProblemResponsesContract {

	@Override
	AbstractApplicationContextRunner<?, ?, ?> application() {
		return new ReactiveWebApplicationContextRunner().withUserConfiguration(WebFlux.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet", "jakarta.servlet"));
	}

	@Override
	WebTestClient client(ApplicationContext context) {
		return WebTestClient.bindToApplicationContext(context).build();
	}

	@Test
	void answersErrorOfPublisher() {
		application(new IllegalStateException()).withUserConfiguration(ReactiveController.class)
			.run((context) -> expectBanned(context, "/reactive"));
	}

	@Test
	void answersErrorOfRouterFunction() {
		RouterFunction<ServerResponse> route = RouterFunctions.route()
			.GET("/route", (request) -> Mono.error(exception(Reason.BANNED, null)))
			.build();
		application(new IllegalStateException()).withBean(RouterFunction.class, () -> route)
			.run((context) -> expectBanned(context, "/route"));
	}

	private void expectBanned(ApplicationContext context, String path) {
		client(context).get()
			.uri(path)
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
			.expectBody()
			.jsonPath("$.reason")
			.isEqualTo("BANNED");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class WebFlux {

	}

	@RestController
	static class ReactiveController {

		@GetMapping("/reactive")
		Mono<String> call() {
			return Mono.error(exception(Reason.BANNED, null));
		}

	}

}
