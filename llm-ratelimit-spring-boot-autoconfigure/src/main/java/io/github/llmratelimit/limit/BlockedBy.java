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
 * {@code cooldown}, {@code pause}, {@code reopening}, {@code quota}, {@code ban},
 * {@code key} or {@code key-quota} if no key is left, or {@code first-response} while
 * nothing is known of the limits
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

	/** The keys that the call could use were rejected. */
	public static final String KEY = "key";

	/** What the keys that the call could use may spend is used up. */
	public static final String KEY_QUOTA = "key-quota";

	static final String FIRST_RESPONSE = "first-response";

	/**
	 * Whether the limit is shared by all calls to the account.
	 * @return false if it belongs to a model group
	 */
	public boolean isAccountWide() {
		return ProviderPlan.ANY_MODEL.equals(this.modelGroup);
	}

	/**
	 * Whether the limit is that of single keys, rather than of a level.
	 * @return true if it may be another one for another call
	 */
	private boolean isOfKeys() {
		return this.limit.equals(KEY) || this.limit.equals(KEY_QUOTA);
	}

	/**
	 * Whether a claim that comes later would take of what the refused one waits for. It
	 * cannot take what a closed key withholds, but it may use another key.
	 * @param later the later claim
	 * @return true if it has to wait as well
	 */
	public boolean holdsBack(Claim later) {
		boolean shared = isAccountWide() || this.modelGroup.equals(later.scope().modelGroup());
		return shared && !isOfKeys() && (this.counts == null || later.amount(this.counts) > 0);
	}

}
