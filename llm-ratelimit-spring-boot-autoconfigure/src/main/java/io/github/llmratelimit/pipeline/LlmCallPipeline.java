package io.github.llmratelimit.pipeline;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.retry.RetryDecision;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The way of one call: wait for a permit, send, see what came back, and either hand it on
 * or wait without a permit and get in line again in the old place. Thread-safe; no method
 * blocks.
 */
public final class LlmCallPipeline {

	private final LlmRateLimiter limiter;

	private final Map<String, RetryPolicy> policies;

	private final TimeSource time;

	private final List<RateLimitListener> listeners;

	/**
	 * Create a pipeline.
	 * @param limiter admits the calls
	 * @param policies what follows from a refusal, by provider
	 * @param time the time
	 * @param listeners who is told of retries
	 */
	public LlmCallPipeline(LlmRateLimiter limiter, Map<String, RetryPolicy> policies, TimeSource time,
			List<RateLimitListener> listeners) {
		this.limiter = limiter;
		this.policies = Map.copyOf(policies);
		this.time = time;
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Run a call.
	 * @param <R> type of the response
	 * @param call the call
	 * @param exchange how to send it
	 * @return the response; or the error of the last attempt; or a
	 * {@link LlmRateLimitException} if the call was never sent
	 */
	public <R> Mono<R> execute(LlmCall call, Exchange<R> exchange) {
		return attempt(call, exchange, 1);
	}

	/**
	 * End a permit because of a refusal that came too late to be retried, in the middle
	 * of a stream.
	 * @param permit the permit
	 * @param signal what the refusal means
	 * @param usage tokens used until then, {@code null} if none were reported
	 */
	public void refuse(Permit permit, ThrottleSignal signal, @Nullable TokenUsage usage) {
		end(permit, signal, decide(permit, signal, 1), usage);
	}

	private <R> Mono<R> attempt(LlmCall call, Exchange<R> exchange, int attempt) {
		return this.limiter.acquire(call)
			.flatMap((permit) -> new Sending<>(permit, exchange)
				.flatMap((answer) -> next(permit, exchange, answer, attempt)));
	}

	private <R> Mono<R> next(Permit permit, Exchange<R> exchange, Answer<R> answer, int attempt) {
		if (answer.isAccepted()) {
			return answer.result();
		}
		RetryDecision decision = decide(permit, answer.signal(), attempt);
		LlmCall again = (decision.retry() && answer.repeatable()) ? permit.again(decision.backoff()) : null;
		end(permit, answer.signal(), decision, null);
		if (again == null) {
			return answer.result();
		}
		int next = permit.isProbe() ? attempt : attempt + 1;
		this.listeners.forEach((listener) -> listener.onRetry(permit, next, decision.backoff()));
		return pause(decision.backoff()).then(attempt(again, exchange, next))
			.onErrorResume(LlmRateLimitException.class, (notAdmitted) -> answer.result());
	}

	private RetryDecision decide(Permit permit, ThrottleSignal signal, int attempt) {
		RetryPolicy policy = this.policies.get(permit.scope().provider());
		if (policy == null) {
			return RetryDecision.stop(Duration.ZERO);
		}
		// What the refusal of a probe says is that the level is still closed
		return policy.decide(signal, permit.isProbe() ? Math.min(attempt, policy.maxAttempts() - 1) : attempt);
	}

	private static void end(Permit permit, ThrottleSignal signal, RetryDecision decision, @Nullable TokenUsage usage) {
		if (signal.outcome().isRefusal()) {
			permit.refuse(signal, decision.cooldown());
		}
		else {
			permit.complete(signal.outcome(), usage);
		}
	}

	private Mono<Long> pause(Duration backoff) {
		return backoff.isZero() ? Mono.empty() : Mono.delay(backoff, this.time.scheduler());
	}

}
