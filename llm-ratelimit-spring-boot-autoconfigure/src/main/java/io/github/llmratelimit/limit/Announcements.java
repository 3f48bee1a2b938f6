package io.github.llmratelimit.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitLearning;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import org.jspecify.annotations.Nullable;

/**
 * Applies what responses announce to the limits of an account and its models, and adds
 * the limits that nobody has configured if they are to be learned. Not thread-safe.
 */
final class Announcements {

	private final @Nullable LimitLearning learning;

	private final Level account;

	private final ModelLevels models;

	Announcements(@Nullable LimitLearning learning, Level account, ModelLevels models) {
		this.learning = learning;
		this.account = account;
		this.models = models;
	}

	/**
	 * Apply what the response to a call announces.
	 * @param claim the claim of the call
	 * @param limits the announced limits, if any
	 * @param now the current time
	 * @return limits that were not known before, and levels that have made room for them
	 */
	List<LevelEvent> apply(Claim claim, ObservedLimits limits, long now) {
		List<LevelEvent> events = new ArrayList<>(0);
		for (Observed observed : limits.limits()) {
			Long ceiling = (this.learning != null) ? limits.ceilingOf(observed) : null;
			if (!apply(claim, observed, ceiling, now) && this.learning != null && ceiling != null) {
				learn(claim, observed, ceiling, this.learning, events, now);
			}
		}
		return events;
	}

	/*
	 * Where announcements speak of a model, what they say of a limit of the whole account
	 * holds only if it is that limit.
	 */
	private boolean apply(Claim claim, Observed observed, @Nullable Long ceiling, long now) {
		Level group = this.models.of(claim);
		if (group != null && group.observe(observed, ceiling, claim, now)) {
			return true;
		}
		return (this.learning != null && isOfModel(claim, this.learning))
				? this.account.observeEqual(observed, claim, now) : this.account.observe(observed, ceiling, claim, now);
	}

	private void learn(Claim claim, Observed observed, long ceiling, LimitLearning learning, List<LevelEvent> events,
			long now) {
		Level level = isOfModel(claim, learning) ? this.models.madeFor(claim, events, now) : levelOf(claim);
		Limit limit = learning.rule().limit(observed.counts(), ceiling, Objects.requireNonNull(observed.per()));
		if (level != null && level.learn(limit, observed, claim, now)) {
			events.add(new LearnedLimit(level.scope(), limit));
		}
	}

	private static boolean isOfModel(Claim claim, LimitLearning learning) {
		return learning.perModel() && claim.call().model() != null;
	}

	private Level levelOf(Claim claim) {
		Level group = this.models.of(claim);
		return (group != null) ? group : this.account;
	}

}
