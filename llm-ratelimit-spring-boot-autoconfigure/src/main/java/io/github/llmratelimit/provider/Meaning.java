package io.github.llmratelimit.provider;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.ThrottleSignal.Tripped;

/**
 * What a status, a code or a phrase means.
 */
public enum Meaning {

	/** An answer. */
	SUCCESS(CallOutcome.SUCCESS, Tripped.NONE),

	/** A rate, of which the limit is not said. */
	THROTTLED(CallOutcome.THROTTLED, Tripped.UNKNOWN),

	/** A limit on requests. */
	REQUESTS(CallOutcome.THROTTLED, Tripped.REQUESTS),

	/** A limit on tokens. */
	TOKENS(CallOutcome.THROTTLED, Tripped.TOKENS),

	/** A limit on input tokens. */
	INPUT_TOKENS(CallOutcome.THROTTLED, Tripped.INPUT_TOKENS),

	/** A limit on output tokens. */
	OUTPUT_TOKENS(CallOutcome.THROTTLED, Tripped.OUTPUT_TOKENS),

	/** Too many calls at once. */
	CONCURRENCY(CallOutcome.THROTTLED, Tripped.CONCURRENCY),

	/** Too little capacity, which says nothing about our limits. */
	OVERLOADED(CallOutcome.OVERLOADED, Tripped.NONE),

	/** Used up or unpaid: waiting does not help. */
	QUOTA(CallOutcome.QUOTA_EXHAUSTED, Tripped.NONE),

	/** Larger than will ever be admitted. */
	TOO_LARGE(CallOutcome.TOO_LARGE, Tripped.NONE),

	/** The account is locked. */
	BANNED(CallOutcome.BANNED, Tripped.NONE),

	/** The key is not accepted. */
	KEY_REJECTED(CallOutcome.KEY_REJECTED, Tripped.NONE),

	/** Refused for another reason that lies in the request. */
	REJECTED(CallOutcome.REJECTED, Tripped.NONE),

	/** Failed at the provider. */
	FAILED(CallOutcome.FAILED, Tripped.NONE);

	private final CallOutcome outcome;

	private final Tripped tripped;

	Meaning(CallOutcome outcome, Tripped tripped) {
		this.outcome = outcome;
		this.tripped = tripped;
	}

	/** What a status means when nothing else is known. */
	static Meaning ofStatus(int status) {
		return switch (status) {
			case 401 -> KEY_REJECTED;
			case 402 -> QUOTA;
			case 413 -> TOO_LARGE;
			case 429, 439 -> THROTTLED;
			case 503, 529 -> OVERLOADED;
			default -> (status >= 500 || status < 200) ? FAILED : (status >= 300) ? REJECTED : SUCCESS;
		};
	}

	/** The throttling by a limit that counts this. */
	static Meaning ofCounted(Counted counted) {
		return switch (counted) {
			case REQUESTS -> REQUESTS;
			case TOKENS -> TOKENS;
			case INPUT_TOKENS -> INPUT_TOKENS;
			case OUTPUT_TOKENS -> OUTPUT_TOKENS;
			case UNITS -> THROTTLED;
		};
	}

	CallOutcome outcome() {
		return this.outcome;
	}

	Tripped tripped() {
		return this.tripped;
	}

	boolean isThrottling() {
		return this.outcome == CallOutcome.THROTTLED;
	}

	/** Whether only a person can change it. */
	boolean isPermanent() {
		return this == QUOTA || this == BANNED;
	}

	/** The other meaning where it says more about the same, else this one. */
	Meaning refinedBy(@Nullable Meaning other) {
		boolean refines = this == THROTTLED || other == TOO_LARGE && isThrottling();
		return (refines && other != null) ? other : this;
	}

}
