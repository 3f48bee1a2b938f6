package io.github.llmratelimit.limit;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.ProviderPlan;
import org.jspecify.annotations.Nullable;

/**
 * The limit that a refused claim waits for.
 *
 * @param account the account it belongs to
 * @param modelGroup the model group it belongs to, {@link ProviderPlan#ANY_MODEL} if it
 * is the account's own
 * @param limit name of the limit: of one over time, {@code max-concurrency},
 * {@code cooldown}, {@code pause}, {@code reopening}, {@code quota}, {@code ban}, or
 * {@code first-response} while nothing is known of the limits
 * @param counts what it counts, {@code null} if every call is held up by it
 */
public record BlockedBy(String account, String modelGroup, String limit, @Nullable Counted counts) {

	static final String CONCURRENCY = "max-concurrency";

	static final String COOLDOWN = "cooldown";

	/** A long cooldown after repeated refusals. */
	public static final String PAUSE = "pause";

	/** A cooldown is over, and calls go by and by. */
	static final String REOPENING = "reopening";

	static final String QUOTA = "quota";

	/** The account is locked. */
	public static final String BAN = "ban";

	static final String FIRST_RESPONSE = "first-response";

	/**
	 * Whether the limit is shared by all calls to the account.
	 * @return false if it belongs to a model group
	 */
	public boolean isAccountWide() {
		return ProviderPlan.ANY_MODEL.equals(this.modelGroup);
	}

	/**
	 * Whether a claim that comes later would take of what the refused one waits for.
	 * @param later the later claim
	 * @return true if it has to wait as well
	 */
	public boolean holdsBack(Claim later) {
		boolean shared = isAccountWide() || this.modelGroup.equals(later.scope().modelGroup());
		return shared && (this.counts == null || later.amount(this.counts) > 0);
	}

}
