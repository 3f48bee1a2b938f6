package io.github.llmratelimit.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LlmRateLimiter;
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
 * learned, and of providers that nobody has configured, appear as they become known.
 * Thread-safe.
 */
public final class LevelGauges implements MeterBinder, RateLimitListener {

	private final CurrentLevels levels;

	private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

	private final Set<String> queues = ConcurrentHashMap.newKeySet();

	/** What is shown: each scope with the names of its limits. */
	private final Map<LimitScope, Set<String>> scopes = new ConcurrentHashMap<>();

	/**
	 * Create the gauges.
	 * @param plans the providers, whose accounts, groups and limits have gauges from the
	 * beginning
	 * @param limiter finds the limiter whose state they show
	 * @param time the time
	 */
	public LevelGauges(Collection<ProviderPlan> plans, Supplier<LlmRateLimiter> limiter, TimeSource time) {
		this.levels = new CurrentLevels(limiter, time);
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

	private void show(LimitScope scope) {
		if (this.scopes.putIfAbsent(scope, ConcurrentHashMap.newKeySet()) == null) {
			this.registries.forEach((registry) -> bind(registry, scope));
		}
		if (this.queues.add(scope.provider())) {
			this.registries.forEach((registry) -> bindQueue(registry, scope.provider()));
		}
	}

	private void show(LimitScope scope, String limit) {
		show(scope);
		if (this.scopes.getOrDefault(scope, Set.of()).add(limit)) {
			this.registries.forEach((registry) -> bind(registry, scope, limit));
		}
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

	/* A gauge that is registered twice is the same gauge. */
	@Override
	public void bindTo(MeterRegistry registry) {
		this.registries.add(registry);
		this.queues.forEach((provider) -> bindQueue(registry, provider));
		this.scopes.forEach((scope, limits) -> {
			bind(registry, scope);
			limits.forEach((limit) -> bind(registry, scope, limit));
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
		Tags tags = ScopeMeters.tagsOf(scope.provider(), scope.account(), scope.modelGroup());
		register(registry, RateLimitMeters.IN_FLIGHT, tags, () -> read(scope, LevelSnapshot::inFlight));
		register(registry, RateLimitMeters.COOLDOWN, tags, () -> read(scope, LevelGauges::secondsClosed));
	}

	private void bind(MeterRegistry registry, LimitScope scope, String limit) {
		Tags tags = ScopeMeters.tagsOf(scope.provider(), scope.account(), scope.modelGroup())
			.and(Tag.LIMIT.asString(), limit);
		register(registry, RateLimitMeters.LIMIT_UTILIZATION, tags,
				() -> read(scope, limit, LimitSnapshot::utilization));
		register(registry, RateLimitMeters.LIMIT_REMAINING, tags, () -> read(scope, limit, LimitSnapshot::remaining));
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
