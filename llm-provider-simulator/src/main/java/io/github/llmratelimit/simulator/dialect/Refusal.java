package io.github.llmratelimit.simulator.dialect;

/**
 * Why a call is refused. Immutable.
 *
 * @param cause which limit refused it
 * @param waitNanos how long until the same call would be admitted if no other came; 0 if
 * that cannot be told
 * @param limit the limit's ceiling
 * @param used what is spent of it
 * @param requested what the call asked of it
 * @param levels the limits at that moment
 */
public record Refusal(Cause cause, long waitNanos, long limit, long used, long requested, Levels levels) {

	/** What refuses a call. */
	public enum Cause {

		REQUESTS, TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, TOO_LARGE, CONCURRENCY, BANNED

	}

	/** The wait in whole units, the last one perhaps in part. */
	public long waitIn(long unitNanos) {
		return GoDuration.roundUp(this.waitNanos, unitNanos);
	}

}
