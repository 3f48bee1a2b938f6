package io.github.llmratelimit.web;

import java.time.Duration;

import io.github.llmratelimit.LlmRateLimitException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers a request whose call was not admitted with a problem (RFC 9457), in WebFlux as
 * in Spring MVC. Comes after all exception handlers of the application.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public class ProblemResponses {

	/**
	 * The answer to an exception. Its content type is fixed: whoever waits for a stream
	 * of events has to be told as well.
	 * @param exception why the call was not admitted
	 * @return the problem
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> respond(LlmRateLimitException exception) {
		return ResponseEntity.status(exception.reason().httpStatus())
			.headers((headers) -> addRetryAfter(headers, exception.retryAfter()))
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.body(problem(exception));
	}

	private static void addRetryAfter(HttpHeaders headers, @Nullable Duration retryAfter) {
		if (retryAfter != null) {
			long seconds = retryAfter.toSeconds() + ((retryAfter.toNanosPart() > 0) ? 1 : 0);
			headers.set(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(0, seconds)));
		}
	}

	private static ProblemDetail problem(LlmRateLimitException exception) {
		ProblemDetail problem = ProblemDetail.forStatus(exception.reason().httpStatus());
		problem.setDetail(exception.getMessage());
		problem.setProperty("reason", exception.reason());
		problem.setProperty("provider", exception.provider());
		problem.setProperty("attempts", exception.attempts());
		return problem;
	}

}
