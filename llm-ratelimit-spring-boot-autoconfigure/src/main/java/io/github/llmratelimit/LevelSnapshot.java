package io.github.llmratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * One account, or one model group in it, at one moment.
 *
 * @param state whether calls are admitted
 * @param cause why it is closed, {@code null} if it is open
 * @param closedFor how much longer it stays closed, {@code null} if it is open, or if a
 * person has to resume it
 * @param consecutiveThrottles refusals since the last success
 * @param inFlight calls that hold a permit
 * @param maxConcurrency most calls in flight, {@code null} for any number
 * @param keys whether each pooled key of an account is in service, by its id; empty for a
 * model group
 * @param limits the limits of this level
 * @param models the model groups of an account, by name; empty for a model group
 */
public record LevelSnapshot(State state, @Nullable String cause, @Nullable Duration closedFor, int consecutiveThrottles,
		int inFlight, @Nullable Integer maxConcurrency, Map<String, State> keys, List<LimitSnapshot> limits,
		Map<String, LevelSnapshot> models) {

	/**
	 * Whether a level admits calls.
	 */
	public enum State {

		/** Calls are admitted as the limits allow. */
		OPEN,

		/** Closed for a while after a refusal. */
		COOLING_DOWN,

		/** Closed for long after repeated refusals, or by a person. */
		PAUSED,

		/** One call at a time is let through to see whether the level is open again. */
		PROBING,

		/** Closed until a quota is reset or a person acts. */
		OUT_OF_SERVICE

	}

}
