package io.github.llmratelimit.limit;

/**
 * What others have used of a limit, as far as an announcement of the provider shows it.
 * Not thread-safe.
 */
final class ForeignUse {

	private long amount;

	private long until;

	void set(long amount, long until) {
		this.amount = Math.max(0, amount);
		this.until = until;
	}

	long at(long now) {
		return (now < this.until) ? this.amount : 0;
	}

	long nanosLeft(long now) {
		return Math.max(0, this.until - now);
	}

}
