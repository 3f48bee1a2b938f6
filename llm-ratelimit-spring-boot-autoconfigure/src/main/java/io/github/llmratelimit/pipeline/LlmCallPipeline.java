package io.github.llmratelimit.pipeline;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.retry.Attempts;
import io.github.llmratelimit.retry.CallRetries;
import io.github.llmratelimit.retry.RetryDecision;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.time.TimeSource;
import io.github.resilience4j.retry.RetryRegistry;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The way of one call: wait for a permit, send, see what came back, and either hand it on
 * or wait without a permit and get in line again in the old place. Thread-safe; no method
 * blocks.
 */
public final class LlmCallPipeline {

	private final LlmRateLimiter limiter;

	private final Map<String, CallRetries> retries = new HashMap<>();

	private final TimeSource time;

	private final List<RateLimitListener> listeners;

	/**
	 * Create a pipeline whose retries only it knows.
	 * @param limiter admits the calls
	 * @param policies what follows from a refusal, by provider
	 * @param time the time
	 * @param listeners who is told of retries
	 */
	public LlmCallPipeline(LlmRateLimiter limiter, Map<String, RetryPolicy> policies, TimeSource time,
			List<RateLimitListener> listeners) {
		this(limiter, policies, RetryRegistry.ofDefaults(), time, listeners);
	}

	/**
	 * Create a pipeline.
	 * @param limiter admits the calls
	 * @param policies what follows from a refusal, by provider
	 * @param registry where the retries of each provider are registered
	 * @param time the time
	 * @param listeners who is told of retries
	 */
	public LlmCallPipeline(LlmRateLimiter limiter, Map<String, RetryPolicy> policies, RetryRegistry registry,
			TimeSource time, List<RateLimitListener> listeners) {
		this.limiter = limiter;
		policies.forEach((provider, policy) -> this.retries.put(provider, new CallRetries(provider, policy, registry)));
		this.time = time;
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Run a call.
	 * @param <R> type of the response
	 * @param call the call
	 * @param exchange how to send it
	 * @return the response; or the error of the last attempt; or a
	 * {@link LlmRateLimitException} if the call was never sent, or if it was refused as
	 * often as it may be sent and the policy says so
	 */
	public <R> Mono<R> execute(LlmCall call, Exchange<R> exchange) {
		CallRetries retries = this.retries.get(call.provider());
		if (retries == null) {
			return Mono.error(new IllegalArgumentException(
					"provider: " + call.provider() + " (expected: one of " + this.retries.keySet() + ")"));
		}
		return Mono.defer(() -> attempt(call, exchange, retries.start()));
	}

	/**
	 * End a permit because of a refusal that came too late to be retried, in the middle
	 * of a stream.
	 * @param permit the permit
	 * @param signal what the refusal means
	 * @param usage tokens used until then, {@code null} if none were reported
	 */
	public void refuse(Permit permit, ThrottleSignal signal, @Nullable TokenUsage usage) {
		CallRetries retries = this.retries.get(permit.scope().provider());
		end(permit, signal, (retries != null) ? retries.decideFinally(signal) : RetryDecision.stop(Cooldown.NONE),
				usage);
	}

	private <R> Mono<R> attempt(LlmCall call, Exchange<R> exchange, Attempts attempts) {
		return this.limiter.acquire(call)
			.flatMap((permit) -> new Sending<>(permit, exchange)
				.flatMap((answer) -> next(permit, exchange, answer, attempts)));
	}

	private <R> Mono<R> next(Permit permit, Exchange<R> exchange, Answer<R> answer, Attempts attempts) {
		if (answer.isAccepted()) {
			attempts.succeeded();
			return answer.result();
		}
		boolean probe = permit.isProbe();
		RetryDecision decision = attempts.decide(answer.signal(), answer.status(), probe);
		LlmCall again = (decision.retry() && answer.repeatable()) ? permit.again(decision.backoff()) : null;
		end(permit, answer.signal(), decision, null);
		Duration pause = attempts.failed(answer.signal(), (again != null) ? decision.backoff() : null, probe);
		if (again == null || pause == null) {
			return lastOf(permit, answer, attempts);
		}
		this.listeners.forEach((listener) -> listener.onRetry(permit, attempts.current(), pause));
		return pause(pause).then(attempt(again, exchange, attempts))
			.onErrorResume(LlmCallPipeline::isNotAdmitted, (notAdmitted) -> lastOf(permit, answer, attempts));
	}

	private static boolean isNotAdmitted(Throwable failure) {
		return failure instanceof LlmRateLimitException exception && exception.reason() != Reason.RETRIES_EXHAUSTED;
	}

	private static <R> Mono<R> lastOf(Permit permit, Answer<R> answer, Attempts attempts) {
		if (!attempts.failsWhenExhausted() || !answer.signal().isTransient()) {
			return answer.result();
		}
		String provider = permit.scope().provider();
		return Mono.error(new LlmRateLimitException(
				Reason.RETRIES_EXHAUSTED, provider, "%s: the call was refused %d times, at last because of %s"
					.formatted(provider, attempts.current(), answer.signal().describe()),
				answer.signal().hint(), attempts.current()));
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
