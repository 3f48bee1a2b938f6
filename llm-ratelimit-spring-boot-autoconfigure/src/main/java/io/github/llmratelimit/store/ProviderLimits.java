package io.github.llmratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one provider's accounts, wherever they live. Implementations MUST be
 * thread-safe, MUST NOT block, and answer in durations, never in moments. If what they
 * need cannot be reached, they MUST answer by a declared behavior instead of failing.
 */
public interface ProviderLimits {

	/**
	 * Decide on one claim at once, if this store can. A claim whose account is open is
	 * granted in any account that allows it.
	 * @param claim the claim
	 * @return the decision, {@code null} if this store has to be asked by
	 * {@link #reserve}
	 */
	default @Nullable Verdict tryReserve(Claim claim) {
		return null;
	}

	/**
	 * Decide on claims in the order in which they should go. A refused claim takes
	 * nothing, and what it waits for is kept from the claims behind it.
	 * @param claims the claims
	 * @return one verdict for each claim, at once or later
	 */
	CompletionStage<List<Verdict>> reserve(List<Claim> claims);

	/**
	 * Count a claim whatever the limits say, for a provider that is only watched.
	 * @param claim the claim
	 * @return what would have been decided, as far as this is known at once
	 */
	Verdict count(Claim claim);

	/**
	 * End a granted claim and correct it by what was really used. Ending it again does
	 * nothing.
	 * @param claim the claim
	 * @param outcome how its call ended
	 * @param usage tokens really used, {@code null} if unknown: then what was reserved
	 * counts as used
	 * @return levels that are open again, as far as this is known at once
	 */
	List<LevelChange> settle(Claim claim, CallOutcome outcome, @Nullable TokenUsage usage);

	/**
	 * Correct levels by what the response to a call announces.
	 * @param claim the claim of the call
	 * @param limits the announced limits, none if it has been answered without
	 * @return limits that nobody knew before and levels that have made room for them, as
	 * far as this is known at once
	 */
	List<LevelEvent> observe(Claim claim, ObservedLimits limits);

	/**
	 * React to a refusal: close the level that it concerns, for all who share it.
	 * @param claim the claim of the refused call, not yet settled
	 * @param signal what the refusal means
	 * @param cooldown how long at least
	 * @return what has changed, as far as this is known at once
	 */
	List<LevelEvent> refuse(Claim claim, ThrottleSignal signal, Cooldown cooldown);

	/**
	 * Replace configured limits while calls are in flight. What is used stays used, and a
	 * limit that is new begins with what is in flight at least.
	 * @param level an account or a model group; {@link LimitScope#ANY_ACCOUNT} stands for
	 * all accounts
	 * @param plan its limits from now on
	 * @return done, at once or later
	 */
	CompletionStage<Void> replace(LimitScope level, LimitPlan plan);

	/**
	 * Close accounts until they are resumed, whatever calls find out.
	 * @param account an account or all
	 * @param length how long at most, {@code null} for any time
	 * @param cause why
	 * @return what has changed, at once or later
	 */
	CompletionStage<List<LevelEvent>> pause(LimitScope account, @Nullable Duration length, String cause);

	/**
	 * End the pause of accounts. What refusals have closed stays closed.
	 * @param account an account or all
	 * @return what has changed, at once or later
	 */
	CompletionStage<List<LevelEvent>> resume(LimitScope account);

	/**
	 * The state of the provider's accounts.
	 * @return the accounts by name, at once or later
	 */
	CompletionStage<Map<String, LevelSnapshot>> snapshot();

}
