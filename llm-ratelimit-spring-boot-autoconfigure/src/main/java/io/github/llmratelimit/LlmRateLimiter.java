package io.github.llmratelimit;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs actions that call a provider within its limits. Thread-safe; never blocks a
 * thread, but for {@link #executeBlocking}.
 * <p>
 * An action that fails because the provider has refused it is run again, as often as the
 * provider's {@code backoff} allows: it waits without a permit, not before the provider
 * wants it back, and then in its old place in line. What a failure means is read from the
 * response that a client has thrown as an exception, or said by a
 * {@linkplain #withClassifier classifier} or a bean of {@link LlmFailureClassifier}.
 * After the last attempt the caller gets the failure of the action, or an
 * {@link LlmRateLimitException} where {@code on-exhausted: exception} is set.
 * <p>
 * If a limited client or another limited action inside the action has taken its place, it
 * was that one's to retry: a failure that comes out of it is final.
 */
public interface LlmRateLimiter extends CallAdmission {

	/**
	 * Run an action under a permit.
	 * @param <T> type of the result
	 * @param call the call
	 * @param action what to do once admitted; subscribed anew for each attempt
	 * @return the result of the action
	 */
	<T> Mono<T> execute(LlmCall call, Mono<T> action);

	/**
	 * Run a stream under a permit, which is held until the stream ends. It is run again
	 * only if it fails before its first element.
	 * @param <T> type of the elements
	 * @param call the call
	 * @param action what to do once admitted; subscribed anew for each attempt
	 * @return the elements of the action
	 */
	<T> Flux<T> execute(LlmCall call, Flux<T> action);

	/**
	 * Start an action under a permit, which is held until its stage ends.
	 * @param <T> type of the result
	 * @param call the call
	 * @param action what to start once admitted, on the thread that admits it
	 * @return the result of the action; cancelling it while the call waits leaves no
	 * trace
	 */
	<T> CompletableFuture<T> executeAsync(LlmCall call, Supplier<? extends CompletionStage<T>> action);

	/**
	 * Run an action under a permit, and park the calling thread until it is admitted and
	 * between attempts. No other thread waits with it, and a virtual thread is not
	 * pinned.
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
	 * The same limiter with a classifier that is asked before all others.
	 * @param classifier says what the failure of an action means; {@code null} if it does
	 * not know. {@link ThrottleSignal#throttled} lets the action run again
	 * @return a limiter with the same limits
	 */
	LlmRateLimiter withClassifier(Function<? super Throwable, @Nullable ThrottleSignal> classifier);

	/**
	 * The same limiter whose actions always fail by a {@link LlmRateLimitException} when
	 * the provider has refused them for good, for callers with a fallback. The failure of
	 * the action is among those that the exception has suppressed.
	 * @return a limiter with the same limits
	 */
	LlmRateLimiter throwingRefusals();

}
