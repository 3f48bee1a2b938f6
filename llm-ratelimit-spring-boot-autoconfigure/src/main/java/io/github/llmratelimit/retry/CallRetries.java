package io.github.llmratelimit.retry;

import io.github.llmratelimit.ThrottleSignal;
import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;

/**
 * The retries of calls to one provider: decided by a {@link RetryPolicy}, carried out by
 * a {@link Retry} of Resilience4j, whose events and metrics tell of them. Thread-safe.
 */
public final class CallRetries {

	private static final String NAME_PREFIX = "llm-";

	private final RetryPolicy policy;

	private final Retry retry;

	/**
	 * Create the retries of a provider.
	 * @param provider name of the provider; the {@link Retry} is called {@code llm-} and
	 * this
	 * @param policy decides
	 * @param registry where the {@link Retry} is registered
	 */
	public CallRetries(String provider, RetryPolicy policy, RetryRegistry registry) {
		this.policy = policy;
		this.retry = registry.retry(NAME_PREFIX + provider, config());
	}

	/*
	 * How often and how long is decided by the policy, which knows the deadline of the
	 * call: the interval of -1 that stops is its own.
	 */
	private static RetryConfig config() {
		return RetryConfig.custom()
			.maxAttempts(Integer.MAX_VALUE)
			.intervalBiFunction((attempt, either) -> intervalOf(either))
			.build();
	}

	private static long intervalOf(Either<Throwable, Object> either) {
		return (either.isLeft() && either.getLeft() instanceof RefusedAttempt refused) ? refused.intervalMillis() : -1;
	}

	/**
	 * Begin a call.
	 * @return its attempts
	 */
	public Attempts start() {
		return new Attempts(this.policy, this.retry.asyncContext());
	}

	/**
	 * What follows from a refusal that cannot be retried any more.
	 * @param signal what the refusal means
	 * @return the decision
	 */
	public RetryDecision decideFinally(ThrottleSignal signal) {
		return RetryDecision.stop(this.policy.decide(signal, this.policy.maxAttempts()).cooldown());
	}

}
