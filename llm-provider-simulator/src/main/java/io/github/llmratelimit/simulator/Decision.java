package io.github.llmratelimit.simulator;

import io.github.llmratelimit.simulator.dialect.Call;
import io.github.llmratelimit.simulator.dialect.Levels;
import io.github.llmratelimit.simulator.dialect.Refusal;
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
	 * The call came with a key that is not accepted, and was not looked at.
	 */
	record Unauthorized() implements Decision {

	}

	/**
	 * The call is refused.
	 *
	 * @param refusal why
	 */
	record Refused(Refusal refusal) implements Decision {

	}

}
