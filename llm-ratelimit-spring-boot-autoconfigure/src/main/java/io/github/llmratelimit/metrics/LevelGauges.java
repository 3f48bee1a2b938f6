package io.github.llmratelimit.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.metrics.RateLimitMeters.Tag;
import io.github.llmratelimit.time.TimeSource;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Shows levels and queues as they are when they are read. Thread-safe.
 */
public final class LevelGauges implements MeterBinder {

	private final Collection<ProviderPlan> plans;

	private final CurrentLevels levels;

	/**
	 * Create the gauges.
	 * @param plans the providers, whose accounts, groups and limits have gauges
	 * @param limiter finds the limiter whose state they show
	 * @param time the time
	 */
	public LevelGauges(Collection<ProviderPlan> plans, Supplier<LlmRateLimiter> limiter, TimeSource time) {
		this.plans = List.copyOf(plans);
		this.levels = new CurrentLevels(limiter, time);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.plans.forEach((plan) -> bind(registry, plan));
	}

	private void bind(MeterRegistry registry, ProviderPlan plan) {
		Tags queue = ScopeMeters.tagsOf(plan.provider(), LimitScope.ANY_ACCOUNT, ProviderPlan.ANY_MODEL);
		for (Priority priority : Priority.values()) {
			register(registry, RateLimitMeters.QUEUE_SIZE, queue.and(Tag.PRIORITY.asString(), Labels.of(priority)),
					() -> this.levels.waiting(plan.provider(), priority));
		}
		plan.accounts().forEach((account, limits) -> {
			bind(registry, new LimitScope(plan.provider(), account, ProviderPlan.ANY_MODEL), limits);
			for (ModelGroup model : plan.models()) {
				bind(registry, new LimitScope(plan.provider(), account, model.name()), model.plan());
			}
		});
	}

	private void bind(MeterRegistry registry, LimitScope scope, LimitPlan plan) {
		Tags tags = ScopeMeters.tagsOf(scope.provider(), scope.account(), scope.modelGroup());
		register(registry, RateLimitMeters.IN_FLIGHT, tags, () -> read(scope, LevelSnapshot::inFlight));
		register(registry, RateLimitMeters.COOLDOWN, tags, () -> read(scope, LevelGauges::secondsClosed));
		for (Limit limit : plan.limits()) {
			Tags ofLimit = tags.and(Tag.LIMIT.asString(), limit.name());
			register(registry, RateLimitMeters.LIMIT_UTILIZATION, ofLimit,
					() -> read(scope, limit.name(), LimitSnapshot::utilization));
			register(registry, RateLimitMeters.LIMIT_REMAINING, ofLimit,
					() -> read(scope, limit.name(), LimitSnapshot::remaining));
		}
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
