package io.github.llmratelimit.limit;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.CallOutcome.Tokens;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

/**
 * What one call asks of, or holds in, the limits of its scope. The one record from which
 * every counted dimension derives. Not thread-safe: it belongs to the store that decides
 * on it, from reserving to settling.
 */
public final class Claim {

	private final LlmCall asked;

	private LlmCall call;

	private LimitScope scope;

	private boolean favored;

	private @Nullable String key;

	/* Of a claim that holds nothing: the complement, which is negative. */
	private long admittedAt = -1;

	/**
	 * Create a claim that holds nothing yet.
	 * @param call the call
	 * @param scope its scope; the account may still be open
	 */
	public Claim(LlmCall call, LimitScope scope) {
		this.asked = call;
		this.call = call;
		this.scope = scope;
	}

	/**
	 * The call, with the estimate that is really claimed.
	 * @return the call
	 */
	public LlmCall call() {
		return this.call;
	}

	/**
	 * The scope; once granted, with the account that was chosen.
	 * @return the scope
	 */
	public LimitScope scope() {
		return this.scope;
	}

	/**
	 * The pooled key; once granted, the one that was chosen.
	 * @return id of the key, {@code null} if it uses none of the pool
	 */
	public @Nullable String key() {
		return this.key;
	}

	/**
	 * What the claim adds to a limit.
	 * @param counted what the limit counts
	 * @return an amount, 0 or more
	 */
	public long amount(Counted counted) {
		return counted.of(this.call.tokens(), this.call.units());
	}

	/**
	 * Say whether the call's class is below its share, so that it leaves nothing over.
	 * @param favored true if it may take what is left for interactive calls
	 */
	public void favor(boolean favored) {
		this.favored = favored;
	}

	/** Whether it has to leave the headroom of interactive calls alone. */
	boolean leavesHeadroom() {
		return !this.favored && this.call.priority() != Priority.INTERACTIVE;
	}

	/**
	 * When the claim was granted.
	 * @return nanoseconds of the store's clock
	 */
	public long admittedAt() {
		return (this.admittedAt >= 0) ? this.admittedAt : ~this.admittedAt;
	}

	/* What one account has cut, another may allow. */
	void restoreOutput() {
		this.call = this.asked;
	}

	void cutOutput(long tokens) {
		long left = Math.max(0, this.call.tokens().output() - tokens);
		this.call = this.call.withTokens(this.call.tokens().withOutput(left));
	}

	/** Whether the call can be sent with a key of the pool. */
	boolean mayUse(String key) {
		return this.asked.key() == null || this.asked.key().equals(key);
	}

	void use(String key) {
		this.key = key;
	}

	void grant(LimitScope scope, long now) {
		this.scope = scope;
		this.admittedAt = now;
	}

	/**
	 * End the claim.
	 * @return false if it holds nothing any more
	 */
	boolean end() {
		if (this.admittedAt < 0) {
			return false;
		}
		this.admittedAt = ~this.admittedAt;
		return true;
	}

	/**
	 * How one count is to be corrected when the call has ended. A charge that is not
	 * given back is final, but cannot have been less than the prompt.
	 * @param counted what is counted
	 * @param outcome how the call ended
	 * @param usage tokens really used, {@code null} if unknown
	 * @param givesBack whether the provider gives back what was charged and not used
	 * @return what to add to the claimed amount; negative to give some back
	 */
	long correction(Counted counted, CallOutcome outcome, @Nullable TokenUsage usage, boolean givesBack) {
		if (counted == Counted.REQUESTS) {
			return outcome.keepsRequest() ? 0 : -1;
		}
		if (outcome.tokens() == Tokens.GIVEN_BACK) {
			return -amount(counted);
		}
		if (usage == null) {
			return 0;
		}
		if (givesBack || this.call.tokens().outputIsGuess()) {
			return counted.of(usage, this.call.units()) - amount(counted);
		}
		return Math.max(0, counted.of(new TokenUsage(usage.input(), 0), this.call.units()) - amount(counted));
	}

}
