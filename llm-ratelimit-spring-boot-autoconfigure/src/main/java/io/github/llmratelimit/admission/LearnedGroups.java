package io.github.llmratelimit.admission;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.github.llmratelimit.EvictedLevel;
import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.RateLimitListener;

/**
 * Models that are no configured group, but have learned limits of their own: their calls
 * wait apart from others. Thread-safe.
 */
final class LearnedGroups implements RateLimitListener {

	private final Set<String> configured;

	/*
	 * How many limits each has in all accounts. Threads may tell in another order than it
	 * happened that a level has left and that the model has one again: the sum is right.
	 */
	private final Map<String, Integer> limits = new ConcurrentHashMap<>();

	LearnedGroups(ProviderPlan plan) {
		this.configured = plan.models().stream().map(ModelGroup::name).collect(Collectors.toUnmodifiableSet());
	}

	boolean contains(String model) {
		return !this.limits.isEmpty() && this.limits.getOrDefault(model, 0) > 0;
	}

	@Override
	public void onLimitLearned(LearnedLimit learned) {
		add(learned.scope(), 1);
	}

	@Override
	public void onLevelEvicted(EvictedLevel evicted) {
		evicted.limits().forEach((limit) -> add(evicted.scope(), -1));
	}

	private void add(LimitScope scope, int count) {
		if (scope.isOfModelGroup() && !this.configured.contains(scope.modelGroup())) {
			this.limits.merge(scope.modelGroup(), count, LearnedGroups::sum);
		}
	}

	@SuppressWarnings("NullAway") // null removes the entry
	private static Integer sum(int known, int count) {
		return (known + count != 0) ? known + count : null;
	}

}
