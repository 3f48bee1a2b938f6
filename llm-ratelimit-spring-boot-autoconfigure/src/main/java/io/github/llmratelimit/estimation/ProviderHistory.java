package io.github.llmratelimit.estimation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.ProviderPlan;
import org.jspecify.annotations.Nullable;

/**
 * The histories of one provider: one for each configured model group, and for each model
 * that is in none. Thread-safe.
 */
final class ProviderHistory {

	/** Names of models come from requests, and could be anything. */
	private static final int MOST_GROUPS = 100;

	/** Of a provider that nobody has planned. */
	static final ProviderHistory NONE = new ProviderHistory(ProviderPlan.of("", LimitPlan.UNLIMITED),
			EstimateOptions.DEFAULT);

	private final ProviderPlan plan;

	private final EstimateOptions options;

	private final Map<String, UsageHistory> groups = new ConcurrentHashMap<>();

	private final UsageHistory others;

	ProviderHistory(ProviderPlan plan, EstimateOptions options) {
		this.plan = plan;
		this.options = options;
		this.others = new UsageHistory(options);
	}

	EstimateOptions options() {
		return this.options;
	}

	/** The history of a model, which is that of all others if there are too many. */
	UsageHistory of(@Nullable String model) {
		UsageHistory group = this.groups.get(groupOf(model));
		return (group != null) ? group : this.others;
	}

	UsageHistory madeFor(@Nullable String model) {
		return (this.groups.size() < MOST_GROUPS)
				? this.groups.computeIfAbsent(groupOf(model), (added) -> new UsageHistory(this.options)) : of(model);
	}

	private String groupOf(@Nullable String model) {
		String group = this.plan.groupOf(model);
		return (model != null && group.equals(ProviderPlan.ANY_MODEL)) ? model : group;
	}

}
