package io.github.llmratelimit.pipeline;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LlmCall;
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
 * Ends attempts that were not accepted, and says what follows. Thread-safe.
 */
final class Retrials {

	private final Map<String, CallRetries> retries = new HashMap<>();

	private final TimeSource time;

	private final RateLimitListener listener;

	Retrials(Map<String, RetryPolicy> policies, RetryRegistry registry, TimeSource time, RateLimitListener listener) {
		policies.forEach((provider, policy) -> this.retries.put(provider, new CallRetries(provider, policy, registry)));
		this.time = time;
		this.listener = listener;
	}

	/**
	 * Begin a call.
	 * @param call the call
	 * @return its attempts
	 * @throws IllegalArgumentException if nobody knows its provider
	 */
	Attempts start(LlmCall call) {
		CallRetries retries = this.retries.get(call.provider());
		if (retries == null) {
			throw new IllegalArgumentException(
					"provider: " + call.provider() + " (expected: one of " + this.retries.keySet() + ")");
		}
		return retries.start();
	}

	/**
	 * End the permit of an attempt.
	 * @param permit the permit
	 * @param signal what came back
	 * @param status its HTTP status, 0 if there was none
	 * @param repeatable whether the call can be sent again
	 * @param attempts the attempts of the call
	 * @return what follows
	 */
	Next next(Permit permit, ThrottleSignal signal, int status, boolean repeatable, Attempts attempts) {
		boolean probe = permit.isProbe();
		RetryDecision decision = attempts.decide(signal, status, probe);
		boolean wanted = decision.retry() && repeatable && !isOwnKeyRejected(permit, signal);
		LlmCall again = wanted ? permit.again(decision.backoff()) : null;
		end(permit, signal, decision, null);
		int sent = attempts.current();
		Duration pause = attempts.failed(signal, (again != null) ? decision.backoff() : null, probe);
		if (again == null || pause == null) {
			Duration tooLong = wanted ? decision.backoff() : null;
			return Next.end(sent, Refusals.of(permit.scope().provider(), signal, tooLong, sent));
		}
		this.listener.onRetry(permit, attempts.current(), pause);
		return new Next(sent, again, pause, null);
	}

	private static boolean isOwnKeyRejected(Permit permit, ThrottleSignal signal) {
		return signal.outcome() == CallOutcome.KEY_REJECTED && permit.key() == null;
	}

	/**
	 * End a permit because of a refusal that came too late to be retried.
	 * @param permit the permit
	 * @param signal what the refusal means
	 * @param usage tokens used until then, {@code null} if none were reported
	 */
	void refuse(Permit permit, ThrottleSignal signal, @Nullable TokenUsage usage) {
		CallRetries retries = this.retries.get(permit.scope().provider());
		end(permit, signal, (retries != null) ? retries.decideFinally(signal) : RetryDecision.stop(Cooldown.NONE),
				usage);
	}

	private static void end(Permit permit, ThrottleSignal signal, RetryDecision decision, @Nullable TokenUsage usage) {
		if (signal.outcome().isRefusal()) {
			permit.refuse(signal, decision.cooldown());
		}
		else {
			permit.complete(signal.outcome(), usage);
		}
	}

	/**
	 * Wait before another attempt.
	 * @param next what follows
	 * @return completes when it is time to get in line
	 */
	Mono<?> pause(Next next) {
		return next.pause().isZero() ? Mono.empty() : Mono.delay(next.pause(), this.time.scheduler());
	}

}
