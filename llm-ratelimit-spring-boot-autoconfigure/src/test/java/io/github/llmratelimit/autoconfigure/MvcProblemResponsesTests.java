package io.github.llmratelimit.autoconfigure;

import java.util.concurrent.CompletableFuture;

import io.github.llmratelimit.LlmRateLimitException.Reason;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.client.MockMvcWebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Tests for {@link LlmRateLimitProblemResponsesAutoConfiguration} with Spring MVC.
 */
class MvcProblemResponsesTests extends ProblemResponsesContract {

	@Override
	AbstractApplicationContextRunner<?, ?, ?> application() {
		return new WebApplicationContextRunner().withUserConfiguration(Mvc.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.web.reactive"));
	}

	@Override
	WebTestClient client(ApplicationContext context) {
		return MockMvcWebTestClient.bindToApplicationContext((WebApplicationContext) context).build();
	}

	@Test
	void answersErrorOfFuture() {
		application(new IllegalStateException()).withUserConfiguration(AsyncController.class)
			.run((context) -> expectBanned(context, "/async"));
	}

	@Test
	void answersErrorOfRouterFunction() {
		RouterFunction<ServerResponse> route = RouterFunctions.route().GET("/route", (request) -> {
			throw exception(Reason.BANNED, null);
		}).build();
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
	@EnableWebMvc
	static class Mvc {

	}

	@RestController
	static class AsyncController {

		@GetMapping("/async")
		CompletableFuture<String> call() {
			return CompletableFuture.failedFuture(exception(Reason.BANNED, null));
		}

	}

}
