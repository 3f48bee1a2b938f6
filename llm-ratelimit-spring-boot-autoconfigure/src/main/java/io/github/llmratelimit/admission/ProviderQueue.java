package io.github.llmratelimit.admission;

import java.time.Duration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.Turn;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import io.github.llmratelimit.store.ProviderLimits;
import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The one queue of a provider, as calls and permits see it: a fast path while nobody
 * waits, else the drain. Thread-safe.
 */
final class ProviderQueue {

	private volatile ProviderPlan plan;

	private final ProviderLimits limits;

	private final TimeSource time;

	private final RateLimitListener listener;

	private final Rejections rejections;

	private final LearnedGroups learnedGroups;

	private final AtomicLong arrivals = new AtomicLong();

	private final WaitingCount waiting = new WaitingCount();

	private final Drain drain;

	ProviderQueue(ProviderPlan plan, ProviderLimits limits, TimeSource time, RateLimitListener listener) {
		this.plan = plan;
		this.limits = limits;
		this.time = time;
		this.listener = listener;
		this.rejections = new Rejections(plan);
		this.learnedGroups = new LearnedGroups(plan);
		this.drain = new Drain(plan, limits, time, this.rejections, this.waiting);
	}

	ProviderPlan plan() {
		return this.plan;
	}

	Mono<ProviderSnapshot> snapshot() {
		return Mono.fromCompletionStage(this.limits::snapshot)
			.map((accounts) -> new ProviderSnapshot(this.plan.provider(), this.waiting.snapshot(), accounts));
	}

	void enter(Waiter waiter) {
		if (this.plan.shadow()) {
			watch(waiter);
			return;
		}
		if (this.waiting.isZero() && enterFast(waiter)) {
			return;
		}
		LlmRateLimitException unfit = this.rejections.neverFits(waiter);
		if (unfit != null) {
			answer(waiter, unfit);
		}
		else {
			queueUp(waiter);
		}
	}

	/* Goes at once; what would have become of it is told instead of done. */
	private void watch(Waiter waiter) {
		Verdict verdict = this.limits.count(waiter.claim());
		LlmRateLimitException refusal = this.rejections.refusalOf(waiter, verdict);
		if (refusal != null) {
			this.listener.onRejected(waiter.call(), refusal);
		}
		waiter.takePlace(sequenceOf(waiter.call()));
		answer(waiter, waiter.permit(verdict.waitNanos(), verdict));
	}

	private void queueUp(Waiter waiter) {
		Priority priority = waiter.call().priority();
		if (this.waiting.add(priority) > this.plan.queue().capacity() && waiter.call().turn() == null) {
			this.waiting.remove(priority);
			answer(waiter, this.rejections.queueFull(waiter));
		}
		else if (waiter.queueUp(this.time.nanoTime(), sequenceOf(waiter.call()))) {
			this.drain.offer(waiter);
		}
		else {
			this.waiting.remove(priority);
		}
	}

	private boolean enterFast(Waiter waiter) {
		Verdict verdict = this.limits.tryReserve(waiter.claim());
		if (verdict == null || !verdict.isGranted()) {
			return false;
		}
		waiter.takePlace(sequenceOf(waiter.call()));
		answer(waiter, waiter.permit(0, verdict));
		return true;
	}

	/* Outside the drain: the waiter is in no queue. */
	private void answer(Waiter waiter, Object answer) {
		if (waiter.choose(answer)) {
			waiter.deliver();
		}
		else if (answer instanceof DefaultPermit permit) {
			permit.giveBack();
		}
	}

	void admitted(Permit permit) {
		this.listener.onAdmitted(permit);
	}

	void rejected(LlmCall call, LlmRateLimitException exception) {
		this.listener.onRejected(call, exception);
	}

	private long sequenceOf(LlmCall call) {
		Turn turn = call.turn();
		return (turn != null) ? turn.sequence() : this.arrivals.incrementAndGet();
	}

	/** A waiter was cancelled. */
	void leave(Waiter waiter) {
		this.drain.offer(waiter);
	}

	void observe(Claim claim, ObservedLimits limits) {
		tell(this.limits.observe(claim, limits));
		if (this.plan.learning() != null) {
			releasedIfAnyWait(claim);
		}
	}

	/** The scope of a call, which may be a model that is no configured group. */
	LimitScope scopeOf(LlmCall call) {
		LimitScope scope = this.plan.scopeOf(call);
		String model = call.model();
		if (model == null || scope.isOfModelGroup() || !this.learnedGroups.contains(model)) {
			return scope;
		}
		return new LimitScope(scope.provider(), scope.account(), model);
	}

	void ended(DefaultPermit permit, Claim claim, CallOutcome outcome, @Nullable TokenUsage usage) {
		List<? extends LevelEvent> events = this.limits.settle(claim, outcome, usage);
		this.listener.onCompleted(permit, outcome, usage);
		tell(events);
		releasedIfAnyWait(claim);
	}

	/* Closed before anything is given back, so that nobody slips through in between. */
	void refused(DefaultPermit permit, Claim claim, ThrottleSignal signal, Cooldown cooldown) {
		List<LevelEvent> events = this.limits.refuse(claim, signal, cooldown);
		this.limits.settle(claim, signal.outcome(), null);
		this.listener.onCompleted(permit, signal.outcome(), null);
		this.listener.onThrottled(permit, signal, cooldown.length());
		tell(events);
		releasedIfAnyWait(claim);
	}

	private void tell(List<? extends LevelEvent> events) {
		for (LevelEvent event : events) {
			event.tell(this.learnedGroups);
			event.tell(this.listener);
		}
	}

	void givenBack(Claim claim) {
		this.limits.settle(claim, CallOutcome.NOT_SENT, null);
		releasedIfAnyWait(claim);
	}

	private void releasedIfAnyWait(Claim claim) {
		releasedIfAnyWait(claim.scope());
	}

	private void releasedIfAnyWait(LimitScope scope) {
		if (!this.waiting.isZero()) {
			this.drain.released(scope);
		}
	}

	Mono<Void> changeLimits(LimitScope level, UnaryOperator<LimitPlan> change) {
		return Flux.defer(() -> Flux.fromIterable(replace(level, change)))
			.flatMap(Mono::fromCompletionStage)
			.then(Mono.fromRunnable(() -> releasedIfAnyWait(level)));
	}

	/* One change after another, in the store as well. */
	private synchronized List<CompletionStage<Void>> replace(LimitScope level, UnaryOperator<LimitPlan> change) {
		ProviderPlan changed = this.plan.withChangedLimits(level, change);
		this.plan = changed;
		this.rejections.follow(changed);
		return this.plan.levelsIn(level).map((each) -> this.limits.replace(each, changed.limitsOf(each))).toList();
	}

	Mono<Void> pause(LimitScope account, @Nullable Duration length, String cause) {
		return Mono.defer(() -> Mono.fromCompletionStage(this.limits.pause(account, length, cause)))
			.doOnNext(this::tell)
			.then();
	}

	Mono<Void> resume(LimitScope account) {
		return Mono.defer(() -> Mono.fromCompletionStage(this.limits.resume(account))).doOnNext((events) -> {
			tell(events);
			releasedIfAnyWait(account);
		}).then();
	}

}
