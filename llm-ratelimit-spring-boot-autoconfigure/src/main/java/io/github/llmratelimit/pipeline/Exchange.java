package io.github.llmratelimit.pipeline;

import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RefusedCall;
import io.github.llmratelimit.ThrottleSignal;
import reactor.core.publisher.Mono;

/**
 * One call as its client knows it: how to send it, and what comes back. Used by one
 * subscriber at a time.
 *
 * @param <R> type of the response
 */
public interface Exchange<R> {

	/**
	 * Send the call once.
	 * @param permit the permit of this attempt; the announced limits are observed on it,
	 * and once an accepted answer is emitted, it belongs to that answer and ends with it
	 * @return the answer, or an error if there is none
	 */
	Mono<Answer<R>> send(Permit permit);

	/**
	 * What an error of {@link #send} means.
	 * @param failure the error
	 * @return {@code NOT_SENT} if the call cannot have reached the provider, else
	 * {@code FAILED}
	 */
	ThrottleSignal classify(Throwable failure);

	/**
	 * The call as a fallback sees it.
	 * @param call the call
	 * @param refusal why it was refused
	 * @return both, with what the client knows of the request
	 */
	RefusedCall refused(LlmCall call, LlmRateLimitException refusal);

	/**
	 * Give the answer of a fallback in place of a response.
	 * @param refused the call
	 * @param answer the answer
	 * @return the response, which says that it is a fallback; or an error if there is
	 * none
	 */
	Mono<R> answer(RefusedCall refused, FallbackAnswer answer);

}
