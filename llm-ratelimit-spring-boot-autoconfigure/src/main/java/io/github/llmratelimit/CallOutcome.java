package io.github.llmratelimit;

/**
 * How a call ended, and what that means for its claim.
 */
public enum CallOutcome {

	/** Answered. */
	SUCCESS(true, Tokens.SET_TO_USAGE),

	/** Refused because of a rate: too fast now, waiting helps. */
	THROTTLED(true, Tokens.GIVEN_BACK),

	/** Refused because the provider is short of capacity; says nothing about our rate. */
	OVERLOADED(true, Tokens.GIVEN_BACK),

	/** Refused because a quota is used up or unpaid: waiting does not help. */
	QUOTA_EXHAUSTED(true, Tokens.GIVEN_BACK),

	/** Larger than the provider will ever admit. */
	TOO_LARGE(true, Tokens.GIVEN_BACK),

	/** The account is locked. */
	BANNED(true, Tokens.GIVEN_BACK),

	/** The key is not accepted. */
	KEY_REJECTED(true, Tokens.GIVEN_BACK),

	/** Refused for another reason that lies in the request. */
	REJECTED(true, Tokens.GIVEN_BACK),

	/** Failed at the provider, or the connection was lost after sending. */
	FAILED(true, Tokens.KEPT),

	/** Given up by the caller after sending. */
	CANCELLED(true, Tokens.SET_TO_USAGE),

	/** Never left the client. */
	NOT_SENT(false, Tokens.GIVEN_BACK);

	private final boolean keepsRequest;

	private final Tokens tokens;

	CallOutcome(boolean keepsRequest, Tokens tokens) {
		this.keepsRequest = keepsRequest;
		this.tokens = tokens;
	}

	/**
	 * Whether the provider has seen the request, so that it stays counted.
	 * @return false if the request is given back
	 */
	public boolean keepsRequest() {
		return this.keepsRequest;
	}

	/**
	 * What becomes of the reserved tokens.
	 * @return the rule
	 */
	public Tokens tokens() {
		return this.tokens;
	}

	/**
	 * Whether the provider has refused the call, rather than answered or failed it.
	 * @return true for refusals that close a level or could be retried elsewhere
	 */
	public boolean isRefusal() {
		return switch (this) {
			case THROTTLED, OVERLOADED, QUOTA_EXHAUSTED, TOO_LARGE, BANNED, KEY_REJECTED -> true;
			case SUCCESS, REJECTED, FAILED, CANCELLED, NOT_SENT -> false;
		};
	}

	/**
	 * What becomes of the tokens a claim has reserved.
	 */
	public enum Tokens {

		/** Corrected to the reported usage; kept if none was reported. */
		SET_TO_USAGE,

		/** Given back whole. */
		GIVEN_BACK,

		/** Kept as if all of them had been used, unless usage was reported. */
		KEPT

	}

}
