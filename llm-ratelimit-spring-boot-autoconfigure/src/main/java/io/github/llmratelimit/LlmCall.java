package io.github.llmratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A call that wants to be admitted.
 *
 * @param provider name of the provider
 * @param model name of the model, {@code null} if unknown
 * @param account account whose quota it must use, {@code null} for any
 * @param key id of the pooled key it must use, {@link #OWN_KEY} if it brings one that is
 * in no pool, {@code null} for any
 * @param priority how urgent it is
 * @param tokens tokens expected of it
 * @param units what it weighs in limits that count {@linkplain Counted#UNITS units}, 0 or
 * more
 * @param maxWait longest time it may wait in all, {@code null} for the provider's default
 * of its priority
 * @param turn its place in line if it was admitted before, else {@code null}
 */
public record LlmCall(String provider, @Nullable String model, @Nullable String account, @Nullable String key,
		Priority priority, TokenEstimate tokens, int units, @Nullable Duration maxWait, @Nullable Turn turn) {

	/** Stands for the key of a call that is sent with one of its own. */
	public static final String OWN_KEY = "*";

	public LlmCall {
		if (units < 0) {
			throw new IllegalArgumentException("units: " + units + " (expected: >= 0)");
		}
	}

	/**
	 * A call of normal priority that uses no tokens and one unit.
	 * @param provider name of the provider
	 * @return the call
	 */
	public static LlmCall to(String provider) {
		return new LlmCall(provider, null, null, null, Priority.NORMAL, TokenEstimate.NONE, 1, null, null);
	}

	/**
	 * Whether it must use one certain key of the pool.
	 * @return false if any will do, or if it brings its own
	 */
	public boolean namesPooledKey() {
		return this.key != null && !this.key.equals(OWN_KEY);
	}

	public LlmCall withModel(@Nullable String model) {
		return new LlmCall(this.provider, model, this.account, this.key, this.priority, this.tokens, this.units,
				this.maxWait, this.turn);
	}

	public LlmCall withAccount(@Nullable String account) {
		return new LlmCall(this.provider, this.model, account, this.key, this.priority, this.tokens, this.units,
				this.maxWait, this.turn);
	}

	public LlmCall withKey(@Nullable String key) {
		return new LlmCall(this.provider, this.model, this.account, key, this.priority, this.tokens, this.units,
				this.maxWait, this.turn);
	}

	public LlmCall withPriority(Priority priority) {
		return new LlmCall(this.provider, this.model, this.account, this.key, priority, this.tokens, this.units,
				this.maxWait, this.turn);
	}

	public LlmCall withTokens(TokenEstimate tokens) {
		return new LlmCall(this.provider, this.model, this.account, this.key, this.priority, tokens, this.units,
				this.maxWait, this.turn);
	}

	public LlmCall withTokens(long input, long output) {
		return withTokens(TokenEstimate.of(input, output));
	}

	public LlmCall withUnits(int units) {
		return new LlmCall(this.provider, this.model, this.account, this.key, this.priority, this.tokens, units,
				this.maxWait, this.turn);
	}

	public LlmCall withMaxWait(@Nullable Duration maxWait) {
		return new LlmCall(this.provider, this.model, this.account, this.key, this.priority, this.tokens, this.units,
				maxWait, this.turn);
	}

	public LlmCall withTurn(@Nullable Turn turn) {
		return new LlmCall(this.provider, this.model, this.account, this.key, this.priority, this.tokens, this.units,
				this.maxWait, turn);
	}

}
