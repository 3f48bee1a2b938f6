package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmAccountResolver;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.Turn;
import io.github.llmratelimit.store.LimitStore;
import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.ContextView;

/**
 * Admits calls to all configured providers. Thread-safe; no method blocks.
 */
public final class AdmissionController implements CallAdmission {

	private static final Duration LONGEST_WAIT = Duration.ofDays(365);

	private final Map<String, ProviderPlan> plans = new LinkedHashMap<>();

	private final Map<String, ProviderQueue> queues = new ConcurrentHashMap<>();

	private final Function<ProviderPlan, ProviderQueue> open;

	private final LlmAccountResolver resolver;

	/**
	 * Create a controller and open the limits of each provider.
	 * @param plans the providers
	 * @param store where their limits live
	 * @param time the time
	 * @param listeners who is told what happens
	 */
	public AdmissionController(Collection<ProviderPlan> plans, LimitStore store, TimeSource time,
			List<RateLimitListener> listeners) {
		this(plans, List.of(), store, time, listeners);
	}

	/**
	 * Create a controller that opens the limits of some providers when they are called.
	 * @param plans the providers whose limits are opened now
	 * @param onDemand the providers that need not be there until they are called
	 * @param store where their limits live
	 * @param time the time
	 * @param listeners who is told what happens
	 */
	public AdmissionController(Collection<ProviderPlan> plans, Collection<ProviderPlan> onDemand, LimitStore store,
			TimeSource time, List<RateLimitListener> listeners) {
		this(plans, onDemand, store, (call, context) -> null, time, listeners);
	}

	/**
	 * Create a controller that asks which account a call belongs to.
	 * @param plans the providers whose limits are opened now
	 * @param onDemand the providers that need not be there until they are called
	 * @param store where their limits live
	 * @param resolver says which account a call belongs to that names none
	 * @param time the time
	 * @param listeners who is told what happens
	 */
	public AdmissionController(Collection<ProviderPlan> plans, Collection<ProviderPlan> onDemand, LimitStore store,
			LlmAccountResolver resolver, TimeSource time, List<RateLimitListener> listeners) {
		this.resolver = resolver;
		RateLimitListener listener = RateLimitListener.allOf(listeners);
		this.open = (plan) -> new ProviderQueue(plan, store.open(plan), time, listener);
		plans.forEach((plan) -> this.plans.put(plan.provider(), plan));
		onDemand.forEach((plan) -> this.plans.put(plan.provider(), plan));
		plans.forEach((plan) -> this.queues.put(plan.provider(), this.open.apply(plan)));
	}

	@Override
	public Mono<Permit> acquire(LlmCall call) {
		ProviderQueue queue = queueOf(call.provider());
		if (queue == null) {
			return Mono.error(unknown(call.provider()));
		}
		return new MonoPermit(queue, call, this.resolver);
	}

	private @Nullable ProviderQueue queueOf(String provider) {
		ProviderQueue queue = this.queues.get(provider);
		ProviderPlan plan = (queue == null) ? this.plans.get(provider) : null;
		return (plan != null) ? this.queues.computeIfAbsent(provider, (name) -> this.open.apply(plan)) : queue;
	}

	@Override
	public Mono<Void> changeLimits(LimitScope level, UnaryOperator<LimitPlan> change) {
		return at(level, (queue) -> queue.changeLimits(level, change));
	}

	@Override
	public Mono<Void> pause(LimitScope account, @Nullable Duration length, String cause) {
		if (length != null && (length.isZero() || length.isNegative())) {
			return Mono.error(new IllegalArgumentException("length: " + length + " (expected: > 0)"));
		}
		return at(account, (queue) -> queue.pause(account, length, cause));
	}

	@Override
	public Mono<Void> resume(LimitScope account) {
		return at(account, (queue) -> queue.resume(account));
	}

	private Mono<Void> at(LimitScope level, Function<ProviderQueue, Mono<Void>> action) {
		return Mono.defer(() -> {
			ProviderQueue queue = queueOf(level.provider());
			if (queue == null) {
				return Mono.error(unknown(level.provider()));
			}
			queue.plan().requireKnown(level);
			return action.apply(queue);
		});
	}

	private IllegalArgumentException unknown(String provider) {
		return new IllegalArgumentException(
				"provider: " + provider + " (expected: one of " + this.plans.keySet() + ")");
	}

	@Override
	public Flux<ProviderSnapshot> snapshot() {
		return Flux.defer(() -> Flux.fromIterable(open())).concatMap(ProviderQueue::snapshot);
	}

	/** The providers whose limits are open, in the order in which they were given. */
	private List<ProviderQueue> open() {
		List<ProviderQueue> open = new ArrayList<>();
		for (String provider : this.plans.keySet()) {
			ProviderQueue queue = this.queues.get(provider);
			if (queue != null) {
				open.add(queue);
			}
		}
		return open;
	}

	/**
	 * A permit for each subscriber. The subscription is handed over at once, so that
	 * {@code timeout()} and {@code dispose()} work while the call waits.
	 */
	private static final class MonoPermit extends Mono<Permit> {

		private final ProviderQueue queue;

		private final LlmCall call;

		private final LlmAccountResolver resolver;

		MonoPermit(ProviderQueue queue, LlmCall call, LlmAccountResolver resolver) {
			this.queue = queue;
			this.call = call;
			this.resolver = resolver;
		}

		@Override
		public void subscribe(CoreSubscriber<? super Permit> actual) {
			ProviderPlan plan = this.queue.plan();
			LlmCall call;
			try {
				call = resolved(actual.currentContext());
				plan.requireKnown(call);
			}
			catch (RuntimeException ex) {
				Operators.error(actual, ex);
				return;
			}
			actual.onSubscribe(new Waiter(this.queue, actual, call, maxWaitNanos(plan)));
		}

		/* A call that names a key has thereby named an account. */
		private LlmCall resolved(ContextView context) {
			boolean open = this.call.account() == null && !this.call.namesPooledKey();
			String account = open ? this.resolver.accountOf(this.call, context) : null;
			return (account != null) ? this.call.withAccount(account) : this.call;
		}

		private long maxWaitNanos(ProviderPlan plan) {
			Duration maxWait = plan.queue().maxWaitOf(this.call);
			Turn turn = this.call.turn();
			Duration left = (turn != null) ? maxWait.minus(turn.waited()) : maxWait;
			if (left.isNegative()) {
				return 0;
			}
			return (left.compareTo(LONGEST_WAIT) < 0) ? left.toNanos() : LONGEST_WAIT.toNanos();
		}

	}

}
