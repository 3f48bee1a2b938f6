package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.Turn;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.store.LimitStore;
import io.github.llmratelimit.time.TimeSource;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Admits calls to all configured providers. Thread-safe; no method blocks.
 */
public final class AdmissionController implements LlmRateLimiter {

	private static final Duration LONGEST_WAIT = Duration.ofDays(365);

	private final Map<String, ProviderQueue> queues = new LinkedHashMap<>();

	/**
	 * Create a controller and open the limits of each provider.
	 * @param plans the providers
	 * @param store where their limits live
	 * @param time the time
	 * @param listeners who is told what happens
	 */
	public AdmissionController(Collection<ProviderPlan> plans, LimitStore store, TimeSource time,
			List<RateLimitListener> listeners) {
		RateLimitListener listener = new GuardedListeners(listeners);
		for (ProviderPlan plan : plans) {
			this.queues.put(plan.provider(), new ProviderQueue(plan, store.open(plan), time, listener));
		}
	}

	@Override
	public Mono<Permit> acquire(LlmCall call) {
		ProviderQueue queue = this.queues.get(call.provider());
		if (queue == null) {
			return Mono.error(new IllegalArgumentException(
					"provider: " + call.provider() + " (expected: one of " + this.queues.keySet() + ")"));
		}
		String account = call.account();
		if (account != null && !queue.plan().accounts().containsKey(account)) {
			return Mono.error(new IllegalArgumentException(
					"account: " + account + " (expected: one of " + queue.plan().accounts().keySet() + ")"));
		}
		return new MonoPermit(queue, call);
	}

	@Override
	public <T> Mono<T> execute(LlmCall call, Mono<T> action) {
		return acquire(call)
			.flatMap((permit) -> action.doOnSuccess((value) -> permit.complete(CallOutcome.SUCCESS, null))
				.doOnError((failure) -> permit.complete(CallOutcome.FAILED, null))
				.doOnCancel(() -> permit.complete(CallOutcome.CANCELLED, null)));
	}

	@Override
	public <T> Flux<T> execute(LlmCall call, Flux<T> action) {
		return acquire(call)
			.flatMapMany((permit) -> action.doOnComplete(() -> permit.complete(CallOutcome.SUCCESS, null))
				.doOnError((failure) -> permit.complete(CallOutcome.FAILED, null))
				.doOnCancel(() -> permit.complete(CallOutcome.CANCELLED, null)));
	}

	@Override
	public Flux<ProviderSnapshot> snapshot() {
		return Flux.fromIterable(this.queues.values()).concatMap(ProviderQueue::snapshot);
	}

	/**
	 * A permit for each subscriber. The subscription is handed over at once, so that
	 * {@code timeout()} and {@code dispose()} work while the call waits.
	 */
	private static final class MonoPermit extends Mono<Permit> {

		private final ProviderQueue queue;

		private final LlmCall call;

		MonoPermit(ProviderQueue queue, LlmCall call) {
			this.queue = queue;
			this.call = call;
		}

		@Override
		public void subscribe(CoreSubscriber<? super Permit> actual) {
			ProviderPlan plan = this.queue.plan();
			LimitScope scope = this.queue.scopeOf(this.call);
			actual.onSubscribe(new Waiter(this.queue, actual, new Claim(this.call, scope), maxWaitNanos(plan)));
		}

		private long maxWaitNanos(ProviderPlan plan) {
			Duration maxWait = plan.maxWaitOf(this.call);
			Turn turn = this.call.turn();
			Duration left = (turn != null) ? maxWait.minus(turn.waited()) : maxWait;
			if (left.isNegative()) {
				return 0;
			}
			return (left.compareTo(LONGEST_WAIT) < 0) ? left.toNanos() : LONGEST_WAIT.toNanos();
		}

	}

}
