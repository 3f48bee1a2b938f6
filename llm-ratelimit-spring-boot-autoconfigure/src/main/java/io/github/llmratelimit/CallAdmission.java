package io.github.llmratelimit;

import java.time.Duration;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
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
	 * Change configured limits while calls wait and are in flight. What is used stays
	 * used, a new limit begins with what is in flight, and who may go now goes at once.
	 * Limits that the provider has announced are not concerned.
	 * @param level an account, or a model group of all accounts;
	 * {@link LimitScope#ANY_ACCOUNT} stands for all accounts
	 * @param change makes the limits of a level from its present ones; MUST have no side
	 * effects, as other changes wait for it
	 * @return done; or an {@link IllegalArgumentException} if there is no such level
	 */
	Mono<Void> changeLimits(LimitScope level, UnaryOperator<LimitPlan> change);

	/**
	 * Admit no call to an account for a while, whatever refusals and successes say. Calls
	 * wait as long as they may.
	 * @param account an account, or {@link LimitScope#ANY_ACCOUNT} for all
	 * @param length how long, {@code null} until it is resumed
	 * @param cause why, in short and without secrets
	 * @return done; or an {@link IllegalArgumentException} if there is no such account
	 */
	Mono<Void> pause(LimitScope account, @Nullable Duration length, String cause);

	/**
	 * End a pause. What refusals have closed stays closed.
	 * @param account an account, or {@link LimitScope#ANY_ACCOUNT} for all
	 * @return done; or an {@link IllegalArgumentException} if there is no such account
	 */
	Mono<Void> resume(LimitScope account);

	/**
	 * The state of every provider.
	 * @return one snapshot for each provider
	 */
	Flux<ProviderSnapshot> snapshot();

}
