package io.github.llmratelimit.pipeline;

import java.util.Collection;
import java.util.List;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.RefusedCall;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Asked one after the other for an answer to a call that was refused for good.
 * Thread-safe.
 */
final class Fallbacks {

	private static final Logger logger = Loggers.getLogger(Fallbacks.class);

	/* Marks the context of calls that are made inside a fallback. */
	private static final Class<?> INSIDE = Fallbacks.class;

	private final List<LlmFallback> fallbacks;

	private final RateLimitListener listener;

	Fallbacks(Collection<? extends LlmFallback> fallbacks, RateLimitListener listener) {
		this.fallbacks = List.copyOf(fallbacks);
		this.listener = listener;
	}

	boolean isEmpty() {
		return this.fallbacks.isEmpty();
	}

	/**
	 * Answer a call.
	 * @param <R> type of the response
	 * @param call the call
	 * @param refusal why it was refused
	 * @param exchange how its client knows it
	 * @param otherwise what the caller gets if there is no answer
	 * @return the answer of the first fallback that has one, else what there is otherwise
	 */
	<R> Mono<R> answer(LlmCall call, LlmRateLimitException refusal, Exchange<R> exchange, Mono<R> otherwise) {
		if (isEmpty()) {
			return otherwise;
		}
		return Mono.deferContextual((context) -> context.hasKey(INSIDE) ? Mono.error(refusal)
				: ask(exchange, exchange.refused(call, refusal)).switchIfEmpty(otherwise));
	}

	private <R> Mono<R> ask(Exchange<R> exchange, RefusedCall refused) {
		Mono<R> answer = Mono.empty();
		for (LlmFallback fallback : this.fallbacks) {
			answer = answer.switchIfEmpty(ask(fallback, exchange, refused));
		}
		return answer.contextWrite((context) -> context.put(INSIDE, true))
			.doOnNext((given) -> this.listener.onFallback(refused.call(), refused.refusal()));
	}

	private static <R> Mono<R> ask(LlmFallback fallback, Exchange<R> exchange, RefusedCall refused) {
		return Mono.defer(() -> fallback.answer(refused))
			.flatMap((answer) -> exchange.answer(refused, answer))
			.onErrorResume((failure) -> failed(refused.refusal(), failure));
	}

	/*
	 * Nothing can suppress itself, as a fallback that hands back the refusal would ask.
	 */
	private static <R> Mono<R> failed(LlmRateLimitException refusal, Throwable failure) {
		if (failure != refusal) {
			logger.warn("Fallback for " + refusal.provider() + " failed: " + failure);
			refusal.addSuppressed(failure);
		}
		return Mono.empty();
	}

}
