package io.github.llmratelimit.pipeline;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.HeldPermit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.ThrottleSignal;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Runs actions under permits, and again after a refusal. Thread-safe; no method blocks
 * but {@link #executeBlocking}.
 *
 * @param admission admits the calls
 * @param retrials ends attempts that have failed
 * @param parking where threads wait
 * @param failures says what a failure means
 * @param throwsRefusals whether a refusal always ends an action by an exception of ours
 */
record LimitedActions(CallAdmission admission, Retrials retrials, Parking parking, ActionFailures failures,
		boolean throwsRefusals) implements LlmRateLimiter {

	@Override
	public Mono<Permit> acquire(LlmCall call) {
		return this.admission.acquire(call);
	}

	@Override
	public Mono<Void> changeLimits(LimitScope level, UnaryOperator<LimitPlan> change) {
		return this.admission.changeLimits(level, change);
	}

	@Override
	public Mono<Void> pause(LimitScope account, @Nullable Duration length, String cause) {
		return this.admission.pause(account, length, cause);
	}

	@Override
	public Mono<Void> resume(LimitScope account) {
		return this.admission.resume(account);
	}

	@Override
	public Flux<ProviderSnapshot> snapshot() {
		return this.admission.snapshot();
	}

	@Override
	public <T> Mono<T> execute(LlmCall call, Mono<T> action) {
		return execute(call, action.flux()).singleOrEmpty();
	}

	@Override
	public <T> Flux<T> execute(LlmCall call, Flux<T> action) {
		return Flux.deferContextual((context) -> start(call).run(acquire(call, context), action));
	}

	@Override
	public <T> CompletableFuture<T> executeAsync(LlmCall call, Supplier<? extends CompletionStage<T>> action) {
		Mono<T> stage = Mono.deferContextual((context) -> {
			HeldPermit held = context.get(HeldPermit.CURRENT.key());
			return Mono.fromCompletionStage(() -> held.during(action));
		});
		return execute(call, stage).toFuture();
	}

	@Override
	public <T extends @Nullable Object> T executeBlocking(LlmCall call, Supplier<T> action) {
		ActionRun run = start(call);
		return run.runBlocking(Objects.requireNonNull(this.parking.await(acquire(call, Context.empty()))), action);
	}

	private ActionRun start(LlmCall call) {
		return new ActionRun(this, this.retrials.start(call));
	}

	private Mono<Permit> acquire(LlmCall call, ContextView context) {
		return acquire(HeldPermit.takeOver(LlmCallScope.applyTo(call, context), context));
	}

	@Override
	public LlmRateLimiter withClassifier(Function<? super Throwable, @Nullable ThrottleSignal> classifier) {
		return new LimitedActions(this.admission, this.retrials, this.parking, this.failures.after(classifier),
				this.throwsRefusals);
	}

	@Override
	public LlmRateLimiter throwingRefusals() {
		return new LimitedActions(this.admission, this.retrials, this.parking, this.failures, true);
	}

}
