package io.github.llmratelimit.simulator;

import org.jspecify.annotations.Nullable;

/**
 * What the provider decided when a call arrived.
 */
sealed interface Decision {

	/**
	 * The call is served.
	 *
	 * @param number how many calls were admitted with it
	 * @param call the call
	 * @param account whose limits it spends
	 * @param entry its line in the log
	 * @param charge the tokens it spent, if they are limited
	 * @param outputTokens what the model writes
	 * @param status the HTTP status of its answer: 200, or that of a failure
	 * @param latencyNanos time until its response headers
	 * @param levels the limits after it was admitted
	 */
	record Admission(long number, Call call, AccountLimits account, CallLog.Entry entry,
			TokenLimit.@Nullable Charge charge, int outputTokens, int status, long latencyNanos,
			Levels levels) implements Decision {

		boolean fails() {
			return this.status != 200;
		}

	}

	/**
	 * The call is refused.
	 *
	 * @param cause which limit refused it
	 * @param waitNanos how long until the same call would be admitted if no other came; 0
	 * if that cannot be told
	 * @param limit the limit's ceiling
	 * @param used what is spent of it
	 * @param requested what the call asked of it
	 * @param levels the limits at that moment
	 */
	record Refusal(Cause cause, long waitNanos, long limit, long used, long requested,
			Levels levels) implements Decision {

	}

	/** What refuses a call. */
	enum Cause {

		REQUESTS, TOKENS, TOO_LARGE, CONCURRENCY, BANNED

	}

}
