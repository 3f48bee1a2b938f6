package io.github.llmratelimit;

import java.time.Duration;

import io.github.llmratelimit.LevelSnapshot.State;
import org.jspecify.annotations.Nullable;

/**
 * A level, or one key of an account, that was closed or is open again.
 *
 * @param scope the account or the model group; {@link LimitScope#modelGroup()} is
 * {@link ProviderPlan#ANY_MODEL} for an account as a whole
 * @param key id of the key, if it is one that was closed alone, else {@code null}
 * @param state what it is now; {@link State#OPEN} if it has recovered
 * @param cause why it was closed, in short and without secrets, {@code null} if unknown
 * @param closedFor how long it stays closed, {@code null} if it is open, or if a person
 * has to resume it
 * @param consecutiveThrottles bursts of refusals since the last success
 * @param alert whether somebody should know of it now
 */
public record LevelChange(LimitScope scope, @Nullable String key, State state, @Nullable String cause,
		@Nullable Duration closedFor, int consecutiveThrottles, boolean alert) implements LevelEvent {

	/**
	 * A change of an account or a model group.
	 * @param scope the account or the model group
	 * @param state what it is now
	 * @param cause why it was closed, {@code null} if unknown
	 * @param closedFor how long it stays closed, {@code null} if it is open
	 * @param consecutiveThrottles bursts of refusals since the last success
	 * @param alert whether somebody should know of it now
	 */
	public LevelChange(LimitScope scope, State state, @Nullable String cause, @Nullable Duration closedFor,
			int consecutiveThrottles, boolean alert) {
		this(scope, null, state, cause, closedFor, consecutiveThrottles, alert);
	}

	@Override
	public void tell(RateLimitListener listener) {
		listener.onLevelChanged(this);
	}

}
