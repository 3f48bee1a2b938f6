package io.github.llmratelimit.pipeline;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.HeldPermit;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.Turn;
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
 * or wait without a permit and get in line again in the old place. All waiting of a call,
 * in line and between attempts, has one deadline; its time on the wire does not count. An
 * attempt for which a call would have to wait longer than that is not waited for: the
 * call ends at once. Thread-safe; no method blocks.
 */
public final class LlmCallPipeline {

	private final LlmRateLimiter limiter;

	private final Map<String, CallRetries> retries = new HashMap<>();

	private final TimeSource time;

	private final RateLimitListener listener;

	private final Fallbacks fallbacks;

	/**
	 * Create a pipeline without fallbacks, whose retries only it knows.
	 * @param limiter admits the calls
	 * @param policies what follows from a refusal, by provider
	 * @param time the time
	 * @param listeners who is told of retries
	 */
	public LlmCallPipeline(LlmRateLimiter limiter, Map<String, RetryPolicy> policies, TimeSource time,
			List<RateLimitListener> listeners) {
		this(limiter, policies, RetryRegistry.ofDefaults(), time, listeners, List.of());
	}

	/**
	 * Create a pipeline.
	 * @param limiter admits the calls
	 * @param policies what follows from a refusal, by provider
	 * @param registry where the retries of each provider are registered
	 * @param time the time
	 * @param listeners who is told of retries and fallbacks
	 * @param fallbacks who answers calls that are refused for good, in this order
	 */
	public LlmCallPipeline(LlmRateLimiter limiter, Map<String, RetryPolicy> policies, RetryRegistry registry,
			TimeSource time, List<RateLimitListener> listeners, List<LlmFallback> fallbacks) {
		this.limiter = limiter;
		policies.forEach((provider, policy) -> this.retries.put(provider, new CallRetries(provider, policy, registry)));
		this.time = time;
		this.listener = RateLimitListener.allOf(listeners);
		this.fallbacks = new Fallbacks(fallbacks, this.listener);
	}

	/**
	 * Run a call.
	 * @param <R> type of the response
	 * @param call the call
	 * @param exchange how to send it
	 * @return the response, or that of a fallback; or the error of the last attempt; or a
	 * {@link LlmRateLimitException} if the call was never sent, or if it was refused as
	 * often as it may be sent and the policy says so
	 */
	public <R> Mono<R> execute(LlmCall call, Exchange<R> exchange) {
		CallRetries retries = this.retries.get(call.provider());
		if (retries == null) {
			return Mono.error(new IllegalArgumentException(
					"provider: " + call.provider() + " (expected: one of " + this.retries.keySet() + ")"));
		}
		return Mono.deferContextual((context) -> start(HeldPermit.takeOver(call, context), exchange, retries.start()));
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

	private <R> Mono<R> start(LlmCall call, Exchange<R> exchange, Attempts attempts) {
		Mono<R> answer = attempt(call, exchange, attempts);
		if (this.fallbacks.isEmpty()) {
			return answer;
		}
		long since = this.time.nanoTime();
		return ifNotAdmitted(answer, (refusal) -> this.fallbacks.answer(rest(call, Duration.ZERO, since), refusal,
				exchange, Mono.error(refusal)));
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
		boolean wanted = decision.retry() && answer.repeatable() && !isOwnKeyRejected(permit, answer.signal());
		LlmCall again = wanted ? permit.again(decision.backoff()) : null;
		end(permit, answer.signal(), decision, null);
		int sent = attempts.current();
		long since = this.time.nanoTime();
		Duration pause = attempts.failed(answer.signal(), (again != null) ? decision.backoff() : null, probe);
		if (again == null || pause == null) {
			Duration tooLong = wanted ? decision.backoff() : null;
			return last(permit, exchange, answer, attempts,
					Refusals.of(permit.scope().provider(), answer.signal(), tooLong, sent), since);
		}
		this.listener.onRetry(permit, attempts.current(), pause);
		return ifNotAdmitted(pause(pause).then(attempt(again, exchange, attempts)),
				(refusal) -> last(permit, exchange, answer, attempts, refusal.withAttempts(sent), since));
	}

	private static boolean isOwnKeyRejected(Permit permit, ThrottleSignal signal) {
		return signal.outcome() == CallOutcome.KEY_REJECTED && permit.key() == null;
	}

	/* An exception that ends a call after it was sent says how often it was. */
	private static <R> Mono<R> ifNotAdmitted(Mono<R> answer, Function<LlmRateLimitException, Mono<R>> otherwise) {
		return answer.onErrorResume(LlmRateLimitException.class,
				(refusal) -> (refusal.attempts() == 0) ? otherwise.apply(refusal) : Mono.error(refusal));
	}

	/* What is not whole in memory has to be read, and only the caller can do that. */
	private <R> Mono<R> last(Permit permit, Exchange<R> exchange, Answer<R> answer, Attempts attempts,
			@Nullable LlmRateLimitException refusal, long since) {
		if (refusal == null || !answer.repeatable()) {
			return answer.result();
		}
		boolean fails = attempts.failsWhenExhausted() && answer.signal().isTransient();
		return this.fallbacks.answer(rest(permit.call(), waited(permit), since), refusal, exchange,
				fails ? Mono.error(refusal) : answer.result());
	}

	private static Duration waited(Permit permit) {
		Turn turn = permit.call().turn();
		return (turn != null) ? turn.waited().plus(permit.waited()) : permit.waited();
	}

	/* The same call as a new one that has as much time as this one has left. */
	private LlmCall rest(LlmCall call, Duration waited, long since) {
		Duration maxWait = call.maxWait();
		if (maxWait != null) {
			Duration left = maxWait.minus(waited).minusNanos(this.time.nanoTime() - since);
			maxWait = left.isNegative() ? Duration.ZERO : left;
		}
		return call.withMaxWait(maxWait).withTurn(null);
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
