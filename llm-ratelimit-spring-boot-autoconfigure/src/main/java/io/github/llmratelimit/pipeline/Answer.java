package io.github.llmratelimit.pipeline;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal;
import reactor.core.publisher.Mono;

/**
 * What came back from one attempt.
 *
 * @param <R> type of the response
 * @param result the response or the error that is given to the caller if the call is not
 * sent again; it may be subscribed late or never
 * @param signal what it means
 * @param status its HTTP status, 0 if there was none
 * @param repeatable whether the call may be sent again
 */
public record Answer<R>(Mono<R> result, ThrottleSignal signal, int status, boolean repeatable) {

	/**
	 * A response that has been accepted: its permit ends with its body.
	 * @param <R> type of the response
	 * @param response the response
	 * @return the answer
	 */
	public static <R> Answer<R> accepted(R response) {
		return new Answer<>(Mono.just(response), ThrottleSignal.SUCCESS, 0, false);
	}

	/**
	 * A response that ends the permit at once.
	 * @param <R> type of the response
	 * @param response the response, with its whole body in memory if it is repeatable
	 * @param signal what it means
	 * @param status its HTTP status
	 * @param repeatable whether the call may be sent again
	 * @return the answer
	 */
	public static <R> Answer<R> refused(R response, ThrottleSignal signal, int status, boolean repeatable) {
		return new Answer<>(Mono.just(response), signal, status, repeatable);
	}

	static <R> Answer<R> failed(Throwable failure, ThrottleSignal signal) {
		return new Answer<>(Mono.error(failure), signal, 0, true);
	}

	boolean isAccepted() {
		return this.signal.outcome() == CallOutcome.SUCCESS;
	}

}
