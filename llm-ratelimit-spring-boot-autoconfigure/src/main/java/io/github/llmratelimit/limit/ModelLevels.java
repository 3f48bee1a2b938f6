package io.github.llmratelimit.limit;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ProviderPlan;
import org.jspecify.annotations.Nullable;

/**
 * The levels of model groups in one account: the configured ones, and those of single
 * models of which the provider has shown that they have limits of their own. Not
 * thread-safe; there is a bounded number of them, because the names of models come from
 * requests.
 */
final class ModelLevels {

	private static final int MOST = 100;

	private final LimitScope account;

	private final ProviderPlan plan;

	private final WallTime wallTime;

	private final Map<String, Level> levels = new LinkedHashMap<>();

	private final Map<String, Level> ofSingleModels = new HashMap<>();

	ModelLevels(ProviderPlan plan, LimitScope account, WallTime wallTime) {
		this.account = account;
		this.plan = plan;
		this.wallTime = wallTime;
		for (ModelGroup group : plan.models()) {
			this.levels.put(group.name(), level(group.name(), group.plan()));
		}
	}

	private Level level(String name, LimitPlan own) {
		return new Level(own, this.plan, new LimitScope(this.account.provider(), this.account.account(), name),
				this.wallTime);
	}

	/** The level in which a granted claim was counted, {@code null} if in none. */
	@Nullable Level countedIn(Claim claim) {
		return this.levels.isEmpty() ? null : this.levels.get(claim.scope().modelGroup());
	}

	/** The level of a claim as of now: it may be younger than the claim. */
	@Nullable Level of(Claim claim) {
		Level level = countedIn(claim);
		return (level != null || this.ofSingleModels.isEmpty()) ? level : this.ofSingleModels.get(claim.call().model());
	}

	/**
	 * The level of a claim, made for its model if there is none yet.
	 * @return {@code null} if the model is unknown, bears the name of a group, or there
	 * are too many
	 */
	@Nullable Level madeFor(Claim claim) {
		Level level = of(claim);
		String model = claim.call().model();
		if (level != null || model == null || this.levels.size() >= MOST || this.levels.containsKey(model)) {
			return level;
		}
		Level added = level(model, LimitPlan.UNLIMITED);
		this.levels.put(model, added);
		this.ofSingleModels.put(model, added);
		return added;
	}

	Map<String, LevelSnapshot> snapshot(long now) {
		Map<String, LevelSnapshot> snapshots = new LinkedHashMap<>();
		this.levels.forEach((name, level) -> snapshots.put(name, level.snapshot(Map.of(), Map.of(), now)));
		return snapshots;
	}

}
