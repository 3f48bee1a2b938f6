package io.github.llmratelimit;

/**
 * One limit at one moment.
 *
 * @param limit the limit
 * @param effectiveLimit what is used of it at most
 * @param used what is used now; more than the limit when a call has left debt
 * @param source where the ceiling comes from
 */
public record LimitSnapshot(Limit limit, long effectiveLimit, long used, Source source) {

	/**
	 * What is left.
	 * @return 0 or more
	 */
	public long remaining() {
		return Math.max(0, this.effectiveLimit - this.used);
	}

	/**
	 * The used share of the effective limit.
	 * @return 0 to 1, more when a call has left debt
	 */
	public double utilization() {
		return (double) this.used / this.effectiveLimit;
	}

	/**
	 * Where a ceiling comes from.
	 */
	public enum Source {

		/** From the application's properties. */
		CONFIGURED,

		/** Announced by the provider. */
		LEARNED,

		/** Found by trying. */
		ADAPTED

	}

}
