package io.github.llmratelimit.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.EvictedLevel;
import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.metrics.RateLimitMeters.Tag;
import io.github.llmratelimit.time.TimeSource;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Shows levels and queues as they are when they are read. Those of limits that are
 * learned, and of providers that nobody has configured, appear as they become known;
 * those of levels that are evicted disappear. Thread-safe: what is shown changes under a
 * lock, which is seldom needed.
 */
public final class LevelGauges implements MeterBinder, RateLimitListener {

	private final CurrentLevels levels;

	private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

	private final Set<String> queues = ConcurrentHashMap.newKeySet();

	/*
	 * What is shown: each scope with its limits, and how often each is known. Threads may
	 * tell in another order than it happened that a level has left and is there again.
	 */
	private final Map<LimitScope, Map<String, Integer>> scopes = new ConcurrentHashMap<>();

	/**
	 * Create the gauges.
	 * @param plans the providers, whose accounts, groups and limits have gauges from the
	 * beginning
	 * @param admission finds the limiter whose state they show
	 * @param time the time
	 */
	public LevelGauges(Collection<ProviderPlan> plans, Supplier<? extends CallAdmission> admission, TimeSource time) {
		this.levels = new CurrentLevels(admission, time);
		plans.forEach(this::show);
	}

	private void show(ProviderPlan plan) {
		plan.accounts().forEach((account, limits) -> {
			show(new LimitScope(plan.provider(), account, ProviderPlan.ANY_MODEL), limits);
			plan.models()
				.forEach((model) -> show(new LimitScope(plan.provider(), account, model.name()), model.plan()));
		});
	}

	private void show(LimitScope scope, LimitPlan plan) {
		show(scope);
		plan.limits().forEach((limit) -> show(scope, limit.name()));
	}

	private synchronized void show(LimitScope scope) {
		if (this.scopes.putIfAbsent(scope, new HashMap<>()) == null) {
			this.registries.forEach((registry) -> bind(registry, scope));
		}
		if (this.queues.add(scope.provider())) {
			this.registries.forEach((registry) -> bindQueue(registry, scope.provider()));
		}
	}

	private synchronized void show(LimitScope scope, String limit) {
		show(scope);
		if (this.scopes.getOrDefault(scope, Map.of()).merge(limit, 1, Integer::sum) == 1) {
			this.registries.forEach((registry) -> bind(registry, scope, limit));
		}
	}

	private void hide(LimitScope scope, Map<String, Integer> limits, String limit) {
		if (limits.computeIfPresent(limit, (name, known) -> (known > 1) ? known - 1 : null) == null) {
			this.registries.forEach((registry) -> unbind(registry, scope, limit));
		}
	}

	private void hide(LimitScope scope) {
		this.scopes.remove(scope);
		this.registries.forEach((registry) -> unbind(registry, scope));
	}

	@Override
	public void onAdmitted(Permit permit) {
		if (!this.scopes.containsKey(permit.scope())) {
			show(permit.scope());
		}
	}

	@Override
	public void onLimitLearned(LearnedLimit learned) {
		show(learned.scope(), learned.limit().name());
	}

	@Override
	public synchronized void onLevelEvicted(EvictedLevel evicted) {
		LimitScope scope = evicted.scope();
		Map<String, Integer> limits = this.scopes.getOrDefault(scope, Map.of());
		evicted.limits().forEach((limit) -> hide(scope, limits, limit.name()));
		if (limits.isEmpty()) {
			hide(scope);
		}
	}

	/* A gauge that is registered twice is the same gauge. */
	@Override
	public synchronized void bindTo(MeterRegistry registry) {
		this.registries.add(registry);
		this.queues.forEach((provider) -> bindQueue(registry, provider));
		this.scopes.forEach((scope, limits) -> {
			bind(registry, scope);
			limits.keySet().forEach((limit) -> bind(registry, scope, limit));
		});
	}

	private void bindQueue(MeterRegistry registry, String provider) {
		Tags queue = ScopeMeters.tagsOf(provider, LimitScope.ANY_ACCOUNT, ProviderPlan.ANY_MODEL);
		for (Priority priority : Priority.values()) {
			register(registry, RateLimitMeters.QUEUE_SIZE, queue.and(Tag.PRIORITY.asString(), Labels.of(priority)),
					() -> this.levels.waiting(provider, priority));
		}
	}

	private void bind(MeterRegistry registry, LimitScope scope) {
		Tags tags = ScopeMeters.tagsOf(scope);
		register(registry, RateLimitMeters.IN_FLIGHT, tags, () -> read(scope, LevelSnapshot::inFlight));
		register(registry, RateLimitMeters.COOLDOWN, tags, () -> read(scope, LevelGauges::secondsClosed));
	}

	private void bind(MeterRegistry registry, LimitScope scope, String limit) {
		Tags tags = tagsOf(scope, limit);
		register(registry, RateLimitMeters.LIMIT_UTILIZATION, tags,
				() -> read(scope, limit, LimitSnapshot::utilization));
		register(registry, RateLimitMeters.LIMIT_REMAINING, tags, () -> read(scope, limit, LimitSnapshot::remaining));
	}

	private static void unbind(MeterRegistry registry, LimitScope scope) {
		RateLimitMeters.IN_FLIGHT.remove(registry, ScopeMeters.tagsOf(scope));
		RateLimitMeters.COOLDOWN.remove(registry, ScopeMeters.tagsOf(scope));
	}

	private static void unbind(MeterRegistry registry, LimitScope scope, String limit) {
		RateLimitMeters.LIMIT_UTILIZATION.remove(registry, tagsOf(scope, limit));
		RateLimitMeters.LIMIT_REMAINING.remove(registry, tagsOf(scope, limit));
	}

	private static Tags tagsOf(LimitScope scope, String limit) {
		return ScopeMeters.tagsOf(scope).and(Tag.LIMIT.asString(), limit);
	}

	private static void register(MeterRegistry registry, RateLimitMeters meter, Tags tags, Supplier<Number> value) {
		Gauge.builder(meter.getName(), value).baseUnit(meter.getBaseUnit()).tags(tags).register(registry);
	}

	private double read(LimitScope scope, ToDoubleFunction<LevelSnapshot> value) {
		LevelSnapshot level = this.levels.level(scope);
		return (level != null) ? value.applyAsDouble(level) : Double.NaN;
	}

	private double read(LimitScope scope, String limit, ToDoubleFunction<LimitSnapshot> value) {
		return read(scope, (level) -> {
			LimitSnapshot snapshot = find(level, limit);
			return (snapshot != null) ? value.applyAsDouble(snapshot) : Double.NaN;
		});
	}

	private static @Nullable LimitSnapshot find(LevelSnapshot level, String limit) {
		for (LimitSnapshot snapshot : level.limits()) {
			if (snapshot.limit().name().equals(limit)) {
				return snapshot;
			}
		}
		return null;
	}

	private static double secondsClosed(LevelSnapshot level) {
		Duration closedFor = level.closedFor();
		return (closedFor != null) ? closedFor.toMillis() / 1000.0 : 0;
	}

}
