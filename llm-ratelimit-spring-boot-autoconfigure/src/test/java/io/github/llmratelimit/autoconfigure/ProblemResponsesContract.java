package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.web.ProblemResponses;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.test.json.JsonCompareMode;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.reactive.server.WebTestClient.ResponseSpec;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client sees of a call that was not admitted, the same in every kind of web
 * application.
 */
abstract class ProblemResponsesContract {

	/**
	 * An application of its kind, without the classes of the others.
	 * @return a runner
	 */
	abstract AbstractApplicationContextRunner<?, ?, ?> application();

	/**
	 * A client of an application.
	 * @param context the application
	 * @return the client
	 */
	abstract WebTestClient client(ApplicationContext context);

	@ParameterizedTest
	@EnumSource
	void tellsReasonWithItsStatus(Reason reason) {
		respond("/call", exception(reason, Duration.ofSeconds(7)), (response) -> {
			HttpStatus status = HttpStatus.valueOf(reason.httpStatus());
			response.expectStatus().isEqualTo(status);
			response.expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON);
			response.expectHeader().valueEquals(HttpHeaders.RETRY_AFTER, "7");
			response.expectBody().json("""
					{"status": %d, "title": "%s", "detail": "acme: raise a limit", "instance": "/call",
					 "reason": "%s", "provider": "acme", "attempts": 3}
					""".formatted(status.value(), status.getReasonPhrase(), reason), JsonCompareMode.STRICT);
		});
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, 0", "PT0.018S, 1", "PT1S, 1", "PT1.000000001S, 2", "PT24H, 86400" })
	void roundsRetryAfterUp(Duration retryAfter, String seconds) {
		respond("/call", exception(Reason.WAIT_TOO_LONG, retryAfter),
				(response) -> response.expectHeader().valueEquals(HttpHeaders.RETRY_AFTER, seconds));
	}

	@Test
	void leavesOutRetryAfterThatIsUnknown() {
		respond("/call", exception(Reason.NEVER_FITS, null),
				(response) -> response.expectHeader().doesNotExist(HttpHeaders.RETRY_AFTER));
	}

	@Test
	void tellsWhoeverWaitsForStream() {
		application(exception(Reason.QUEUE_FULL, null)).run((context) -> {
			ResponseSpec response = client(context).get().uri("/stream").accept(MediaType.TEXT_EVENT_STREAM).exchange();
			response.expectStatus().isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
			response.expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON);
			response.expectBody().jsonPath("$.reason").isEqualTo("QUEUE_FULL");
		});
	}

	@Test
	void findsReasonBelowOtherException() {
		respond("/call", new CompletionException(exception(Reason.BANNED, null)), (response) -> {
			response.expectStatus().isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
			response.expectBody().jsonPath("$.reason").isEqualTo("BANNED");
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { HandlingController.class, HandlingAdvice.class })
	void leavesExceptionToHandlerOfApplication(Class<?> handler) {
		application(exception(Reason.BANNED, null)).withUserConfiguration(handler).run((context) -> {
			assertThat(context).hasSingleBean(ProblemResponses.class);
			client(context).get()
				.uri((handler == HandlingController.class) ? "/handled" : "/call")
				.exchange()
				.expectStatus()
				.isEqualTo(HttpStatus.I_AM_A_TEAPOT);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "llm.ratelimit.enabled", "llm.ratelimit.problem-responses" })
	void isSwitchedOffByProperty(String property) {
		application(exception(Reason.BANNED, null)).withPropertyValues(property + "=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ProblemResponses.class));
	}

	@Test
	void backsOffForOwnBean() {
		ProblemResponses own = new ProblemResponses();
		application(exception(Reason.BANNED, null)).withBean("own", ProblemResponses.class, () -> own)
			.run((context) -> assertThat(context).getBean(ProblemResponses.class).isSameAs(own));
	}

	AbstractApplicationContextRunner<?, ?, ?> application(RuntimeException failure) {
		return application()
			.withConfiguration(AutoConfigurations.of(LlmRateLimitProblemResponsesAutoConfiguration.class))
			.withBean(FailingController.class, () -> new FailingController(failure));
	}

	void respond(String path, RuntimeException failure, Consumer<ResponseSpec> response) {
		application(failure).run((context) -> response.accept(client(context).get().uri(path).exchange()));
	}

	static LlmRateLimitException exception(Reason reason, @Nullable Duration retryAfter) {
		return new LlmRateLimitException(reason, "acme", "acme: raise a limit", retryAfter, 3);
	}

	@RestController
	static class FailingController {

		private final RuntimeException failure;

		FailingController(RuntimeException failure) {
			this.failure = failure;
		}

		@GetMapping("/call")
		String call() {
			throw this.failure;
		}

		@GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
		String stream() {
			throw this.failure;
		}

	}

	@RestController
	static class HandlingController {

		@GetMapping("/handled")
		String call() {
			throw exception(Reason.BANNED, null);
		}

		@ExceptionHandler
		ResponseEntity<Void> handle(LlmRateLimitException exception) {
			return ResponseEntity.status(HttpStatus.I_AM_A_TEAPOT).build();
		}

	}

	@ControllerAdvice
	@Configuration(proxyBeanMethods = false)
	static class HandlingAdvice {

		@ExceptionHandler
		ResponseEntity<Void> handle(RuntimeException exception) {
			return ResponseEntity.status(HttpStatus.I_AM_A_TEAPOT).build();
		}

	}

}
