package io.github.llmratelimit;

import reactor.core.publisher.Mono;

/**
 * Answers calls that are refused for good: not admitted, refused by the provider as often
 * as they may be sent, or out of service. Beans are asked in their order until one
 * answers. Implementations MUST be thread-safe and MUST NOT block.
 * <p>
 * A fallback may take all the time it needs, which no {@code max-wait} bounds. If it
 * answers nothing or fails, the next is asked; after the last the caller gets what it
 * would have got without any, an exception with the failures among its suppressed ones. A
 * call made inside a fallback has no fallback itself and fails if it is refused, so that
 * two providers cannot stand in for each other in a circle.
 */
@FunctionalInterface
public interface LlmFallback {

	/**
	 * The response header that says that a fallback has answered, and why: the name of a
	 * {@link LlmRateLimitException.Reason}.
	 */
	String HEADER = "x-llm-ratelimit-fallback";

	/**
	 * Answer a call. Subscribed with the context of the caller.
	 * @param refused the call and why it was refused
	 * @return the answer, empty to leave the call to the next fallback
	 */
	Mono<FallbackAnswer> answer(RefusedCall refused);

	/**
	 * A fallback for the calls to one provider.
	 * @param provider name of the provider
	 * @param fallback answers them
	 * @return a fallback that leaves all other calls alone
	 */
	static LlmFallback forProvider(String provider, LlmFallback fallback) {
		return (refused) -> provider.equals(refused.call().provider()) ? fallback.answer(refused) : Mono.empty();
	}

}
