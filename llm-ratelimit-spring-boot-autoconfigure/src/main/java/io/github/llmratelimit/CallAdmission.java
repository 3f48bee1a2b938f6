package io.github.llmratelimit;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Admits calls to providers within their limits. Thread-safe; never blocks a thread.
 */
public interface CallAdmission {

	/**
	 * Wait until a call may go. Nothing happens before the subscription; cancelling it
	 * while the call waits leaves no trace.
	 * @param call the call
	 * @return its permit, which the subscriber MUST end; or a
	 * {@link LlmRateLimitException} if it cannot be admitted
	 */
	Mono<Permit> acquire(LlmCall call);

	/**
	 * The state of every provider.
	 * @return one snapshot for each provider
	 */
	Flux<ProviderSnapshot> snapshot();

}
