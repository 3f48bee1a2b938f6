package io.github.llmratelimit.pipeline;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.llmratelimit.CallAdmission;
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

	private final CallAdmission admission;

	private final Retrials retrials;

	private final TimeSource time;

	private final Fallbacks fallbacks;

	/**
	 * Create a pipeline without fallbacks, whose retries only it knows.
	 * @param admission admits the calls
	 * @param policies what follows from a refusal, by provider
	 * @param time the time
	 * @param listeners who is told of retries
	 */
	public LlmCallPipeline(CallAdmission admission, Map<String, RetryPolicy> policies, TimeSource time,
			List<RateLimitListener> listeners) {
		this(admission, policies, RetryRegistry.ofDefaults(), time, listeners, List.of());
	}

	/**
	 * Create a pipeline.
	 * @param admission admits the calls
	 * @param policies what follows from a refusal, by provider
	 * @param registry where the retries of each provider are registered
	 * @param time the time
	 * @param listeners who is told of retries and fallbacks
	 * @param fallbacks who answers calls that are refused for good, in this order
	 */
	public LlmCallPipeline(CallAdmission admission, Map<String, RetryPolicy> policies, RetryRegistry registry,
			TimeSource time, List<RateLimitListener> listeners, List<LlmFallback> fallbacks) {
		RateLimitListener listener = RateLimitListener.allOf(listeners);
		this.admission = admission;
		this.retrials = new Retrials(policies, registry, time, listener);
		this.time = time;
		this.fallbacks = new Fallbacks(fallbacks, listener);
	}

	/**
	 * A limiter for actions of any kind, which are retried like exchanges. They have no
	 * fallback: what could answer in place of anything?
	 * @param failures says what their failures mean
	 * @return the limiter
	 */
	public LlmRateLimiter limiter(ActionFailures failures) {
		return new LimitedActions(this.admission, this.retrials, new Parking(this.time.scheduler()), failures, false);
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
		return Mono.deferContextual(
				(context) -> start(HeldPermit.takeOver(call, context), exchange, this.retrials.start(call)));
	}

	/**
	 * End a permit because of a refusal that came too late to be retried, in the middle
	 * of a stream.
	 * @param permit the permit
	 * @param signal what the refusal means
	 * @param usage tokens used until then, {@code null} if none were reported
	 */
	public void refuse(Permit permit, ThrottleSignal signal, @Nullable TokenUsage usage) {
		this.retrials.refuse(permit, signal, usage);
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
		return this.admission.acquire(call)
			.flatMap((permit) -> new Sending<>(permit, exchange)
				.flatMap((answer) -> next(permit, exchange, answer, attempts)));
	}

	private <R> Mono<R> next(Permit permit, Exchange<R> exchange, Answer<R> answer, Attempts attempts) {
		if (answer.isAccepted()) {
			attempts.succeeded();
			return answer.result();
		}
		Next next = this.retrials.next(permit, answer.signal(), answer.status(), answer.repeatable(), attempts);
		long since = this.time.nanoTime();
		if (next.again() == null) {
			return last(permit, exchange, answer, attempts, next.refusal(), since);
		}
		return ifNotAdmitted(this.retrials.pause(next).then(attempt(next.again(), exchange, attempts)),
				(refusal) -> last(permit, exchange, answer, attempts, refusal.withAttempts(next.sent()), since));
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

}
