package io.github.llmratelimit;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Admits calls to providers within their limits. Thread-safe; never blocks a thread, but
 * for {@link #executeBlocking}.
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
	 * Start an action under a permit, which is held until its stage ends. It is not
	 * retried.
	 * @param <T> type of the result
	 * @param call the call
	 * @param action what to start once admitted
	 * @return the result of the action; cancelling it while the call waits leaves no
	 * trace
	 */
	<T> CompletableFuture<T> executeAsync(LlmCall call, Supplier<? extends CompletionStage<T>> action);

	/**
	 * Run an action under a permit, and park the calling thread until it is admitted. No
	 * other thread waits with it, and a virtual thread is not pinned. It is not retried.
	 * @param <T> type of the result
	 * @param call the call
	 * @param action what to do once admitted, on the calling thread
	 * @return the result of the action
	 * @throws LlmRateLimitException if the call cannot be admitted
	 * @throws CancellationException if the thread is interrupted while it waits
	 * @throws IllegalStateException if the thread must not block
	 */
	<T extends @Nullable Object> T executeBlocking(LlmCall call, Supplier<T> action);

	/**
	 * The state of every provider.
	 * @return one snapshot for each provider
	 */
	Flux<ProviderSnapshot> snapshot();

}
