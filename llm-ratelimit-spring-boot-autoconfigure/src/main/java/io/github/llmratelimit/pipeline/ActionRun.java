package io.github.llmratelimit.pipeline;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.HeldPermit;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.pipeline.ActionFailures.Reading;
import io.github.llmratelimit.retry.Attempts;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The attempts of one action. Confined to one call, whose attempts come one after the
 * other.
 */
final class ActionRun {

	private final LimitedActions limiter;

	private final Attempts attempts;

	ActionRun(LimitedActions limiter, Attempts attempts) {
		this.limiter = limiter;
		this.attempts = attempts;
	}

	<T> Flux<T> run(Mono<Permit> admitted, Flux<T> action) {
		return admitted.flatMapMany((permit) -> run(permit, action));
	}

	private <T> Flux<T> run(Permit permit, Flux<T> action) {
		HeldPermit held = new HeldPermit(permit);
		AtomicBoolean begun = new AtomicBoolean();
		return action.contextWrite(held::in)
			.doOnNext((element) -> begun.set(true))
			.doOnComplete(() -> succeeded(permit))
			.doOnCancel(() -> permit.complete(CallOutcome.CANCELLED, null))
			.onErrorResume((failure) -> begun.get() ? broken(permit, failure)
					: run(again(held, permit, failure).switchIfEmpty(Mono.error(failure)), action));
	}

	<T extends @Nullable Object> T runBlocking(Permit permit, Supplier<T> action) {
		HeldPermit held = new HeldPermit(permit);
		try {
			T result = held.during(action);
			succeeded(permit);
			return result;
		}
		catch (Throwable failure) {
			Permit again = this.limiter.parking().await(again(held, permit, failure));
			if (again == null) {
				throw failure;
			}
			return runBlocking(again, action);
		}
	}

	private void succeeded(Permit permit) {
		if (permit.complete(CallOutcome.SUCCESS, null)) {
			this.attempts.succeeded();
		}
	}

	/* What the caller has seen of a stream cannot be taken back. */
	private <T> Flux<T> broken(Permit permit, Throwable failure) {
		this.limiter.retrials().refuse(permit, read(permit, unwrapped(failure)).signal(), null);
		return Flux.error(failure);
	}

	/**
	 * An attempt has failed.
	 * @return the permit of the next one; empty if the caller gets the failure; or the
	 * refusal that he gets instead
	 */
	private Mono<Permit> again(HeldPermit held, Permit permit, Throwable failure) {
		Throwable cause = unwrapped(failure);
		LlmRateLimitException refusal = refusalIn(cause);
		if (refusal != null) {
			permit.complete(CallOutcome.FAILED, null);
			return this.limiter.throwsRefusals() ? Mono.error(refusal) : Mono.empty();
		}
		Reading reading = read(permit, cause);
		return held.isTakenOver() ? last(permit, reading.signal(), cause) : next(permit, reading, cause);
	}

	private static @Nullable LlmRateLimitException refusalIn(Throwable failure) {
		return (LlmRateLimitException) SendFailure.causes(failure)
			.filter(LlmRateLimitException.class::isInstance)
			.findFirst()
			.orElse(null);
	}

	/* Whoever has taken over the permit has read and counted the answer. */
	private Mono<Permit> last(Permit permit, ThrottleSignal signal, Throwable failure) {
		return last(signal, Refusals.of(permit.scope().provider(), signal, null, this.attempts.current()), failure);
	}

	private Mono<Permit> next(Permit permit, Reading reading, Throwable failure) {
		if (reading.isOfResponse()) {
			permit.observe(reading.limits());
		}
		Next next = this.limiter.retrials().next(permit, reading.signal(), reading.status(), true, this.attempts);
		return (next.again() == null) ? last(reading.signal(), next.refusal(), failure)
				: this.limiter.retrials()
					.pause(next)
					.then(this.limiter.acquire(next.again()))
					.onErrorResume(LlmRateLimitException.class,
							(refusal) -> last(reading.signal(), refusal.withAttempts(next.sent()), failure));
	}

	private Mono<Permit> last(ThrottleSignal signal, @Nullable LlmRateLimitException refusal, Throwable failure) {
		boolean thrown = this.limiter.throwsRefusals() || this.attempts.failsWhenExhausted() && signal.isTransient();
		if (refusal == null || !thrown) {
			return Mono.empty();
		}
		refusal.addSuppressed(failure);
		return Mono.error(refusal);
	}

	/* Classifiers are users' code, which may throw. */
	private Reading read(Permit permit, Throwable failure) {
		try {
			return this.limiter.failures().read(permit.call(), failure);
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
			return Reading.withoutResponse(failure);
		}
	}

	private static Throwable unwrapped(Throwable failure) {
		Throwable inner = Exceptions.unwrap(failure);
		Throwable cause = inner.getCause();
		boolean wrapper = inner instanceof CompletionException || inner instanceof ExecutionException;
		return (wrapper && cause != null) ? unwrapped(cause) : inner;
	}

}
