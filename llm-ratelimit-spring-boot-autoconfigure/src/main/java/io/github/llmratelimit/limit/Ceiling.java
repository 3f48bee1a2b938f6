package io.github.llmratelimit.limit;

/**
 * The state of one limit over time. Not thread-safe. Times are nanoseconds of one
 * monotonic clock and never go back from call to call.
 */
interface Ceiling {

	/**
	 * How long an amount has to wait. An amount larger than the ceiling waits until
	 * nothing is used, and leaves debt.
	 * @param amount 0 or more
	 * @param now the current time
	 * @return nanoseconds, 0 if it may be taken now
	 */
	long nanosUntil(long amount, long now);

	/**
	 * Take an amount, whether it fits or not.
	 * @param amount 0 or more
	 * @param now the current time
	 */
	void take(long amount, long now);

	/**
	 * Correct an amount that was taken before. Never refuses: what does not fit is debt.
	 * @param delta what to add to it
	 * @param takenAt the time at which it was taken
	 */
	void correct(long delta, long takenAt);

	/**
	 * Lower the level to what the provider has announced; never raises it.
	 * @param remaining what the provider said is left
	 * @param takenAt the time at which the call was admitted whose response says so
	 * @param validNanos how long the announcement holds
	 * @param now the current time
	 */
	void observe(long remaining, long takenAt, long validNanos, long now);

	/**
	 * Change the ceiling. What is used stays used.
	 * @param ceiling the new ceiling, more than 0
	 * @param now the current time
	 */
	void resize(long ceiling, long now);

	/**
	 * What was taken after one moment and not after another, as far as it is remembered.
	 * @param from exclusive
	 * @param to inclusive
	 * @return the sum
	 */
	long taken(long from, long to);

	/**
	 * What is used.
	 * @param now the current time
	 * @return an amount, above the ceiling if there is debt
	 */
	long used(long now);

}
