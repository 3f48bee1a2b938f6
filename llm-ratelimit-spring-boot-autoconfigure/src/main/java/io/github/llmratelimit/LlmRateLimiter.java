package io.github.llmratelimit;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Admits calls to providers within their limits. Thread-safe; never blocks a thread.
 */
public interface LlmRateLimiter {

	/**
	 * Wait until a call may go. Nothing happens before the subscription; cancelling it
	 * while the call waits leaves no trace.
	 * @param call the call
	 * @return its permit, which the subscriber MUST end; or a
	 * {@link LlmRateLimitException} if it cannot be admitted
	 */
	Mono<Permit> acquire(LlmCall call);

	/**
	 * Run an action under a permit. It is not retried.
	 * @param <T> type of the result
	 * @param call the call
	 * @param action what to do once admitted
	 * @return the result of the action
	 */
	<T> Mono<T> execute(LlmCall call, Mono<T> action);

	/**
	 * Run a stream under a permit, which is held until the stream ends. It is not
	 * retried.
	 * @param <T> type of the elements
	 * @param call the call
	 * @param action what to do once admitted
	 * @return the elements of the action
	 */
	<T> Flux<T> execute(LlmCall call, Flux<T> action);

	/**
	 * The state of every provider.
	 * @return one snapshot for each provider
	 */
	Flux<ProviderSnapshot> snapshot();

}
