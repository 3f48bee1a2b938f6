package io.github.llmratelimit.limit;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.LevelEvent;
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
 * requests: the level of a model that nobody calls any more makes room for another.
 */
final class ModelLevels {

	private static final int MOST = 100;

	/** How often it is worth looking for one that is idle. */
	private static final long SEARCH_EVERY = TimeUnit.SECONDS.toNanos(1);

	private final LimitScope account;

	private final ProviderPlan plan;

	private final WallTime wallTime;

	private final @Nullable CautiousStart start;

	private final Map<String, Level> levels = new LinkedHashMap<>();

	private final Map<String, Level> ofSingleModels = new HashMap<>();

	private long nextSearchAt = Long.MIN_VALUE;

	/**
	 * Create the levels of configured groups.
	 * @param start begins anew with a model whose level has left, if there is one
	 */
	ModelLevels(ProviderPlan plan, LimitScope account, WallTime wallTime, @Nullable CautiousStart start) {
		this.account = account;
		this.plan = plan;
		this.wallTime = wallTime;
		this.start = start;
		for (ModelGroup group : plan.models()) {
			this.levels.put(group.name(), level(group.name(), group.plan(), Long.MIN_VALUE));
		}
	}

	private Level level(String name, LimitPlan own, long now) {
		return new Level(own, this.plan, new LimitScope(this.account.provider(), this.account.account(), name),
				this.wallTime, now);
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

	/** The level of a configured group. */
	Level named(String group) {
		return Objects.requireNonNull(this.levels.get(group));
	}

	/**
	 * The level of a claim, made for its model if there is none yet. If there are too
	 * many, one that is idle makes room.
	 * @param claim the claim
	 * @param events is told of the level that has left
	 * @param now the current time
	 * @return {@code null} if the model is unknown, bears the name of a group, or there
	 * are too many that are needed
	 */
	@Nullable Level madeFor(Claim claim, List<LevelEvent> events, long now) {
		Level level = of(claim);
		String model = claim.call().model();
		if (level != null || model == null || isNameOfGroup(model) || !makeRoom(events, now)) {
			return level;
		}
		Level added = level(model, LimitPlan.UNLIMITED, now);
		this.levels.put(model, added);
		this.ofSingleModels.put(model, added);
		return added;
	}

	private boolean isNameOfGroup(String model) {
		return model.equals(ProviderPlan.ANY_MODEL) || this.levels.containsKey(model);
	}

	private boolean makeRoom(List<LevelEvent> events, long now) {
		if (this.levels.size() < MOST) {
			return true;
		}
		if (now < this.nextSearchAt) {
			return false;
		}
		Level idle = longestIdle(now);
		if (idle == null) {
			this.nextSearchAt = now + SEARCH_EVERY;
			return false;
		}
		evict(idle.scope().modelGroup());
		events.add(idle.evicted());
		return true;
	}

	private @Nullable Level longestIdle(long now) {
		Level longest = null;
		for (Level level : this.ofSingleModels.values()) {
			if ((longest == null || level.neededAt() < longest.neededAt()) && level.isIdle(now)) {
				longest = level;
			}
		}
		return longest;
	}

	private void evict(String model) {
		this.levels.remove(model);
		this.ofSingleModels.remove(model);
		if (this.start != null) {
			this.start.forget(model);
		}
	}

	Map<String, LevelSnapshot> snapshot(long now) {
		Map<String, LevelSnapshot> snapshots = new LinkedHashMap<>();
		this.levels.forEach((name, level) -> snapshots.put(name, level.snapshot(Map.of(), Map.of(), now)));
		return snapshots;
	}

}
