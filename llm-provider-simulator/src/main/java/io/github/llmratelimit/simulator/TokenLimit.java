package io.github.llmratelimit.simulator;

/**
 * A limit on tokens per minute. Not thread-safe.
 */
interface TokenLimit {

	/** So many tokens per minute, enforced as the options ask for. */
	static TokenLimit of(long limit, SimulatorOptions options, long now) {
		long minute = options.minute().toNanos();
		return switch (options.tokenAlgorithm()) {
			case BUCKET -> new TokenBucket(limit, minute, now);
			case ROLLING -> new TokenWindow(limit, minute);
		};
	}

	long limit();

	void changeLimit(long limit, long now);

	/** Tokens that are spent, as far as they still count. */
	long used(long now);

	/** How long from now until so many tokens fit; 0 if they do now. */
	long waitNanos(long tokens, long now);

	/** How long from now until the whole limit is free. */
	long resetNanos(long now);

	/** Spends tokens, even above the limit. */
	Charge take(long tokens, long now);

	/** Corrects what was taken earlier; the limit may get into debt. */
	void settle(Charge charge, long tokens, long now);

	/** Tokens spent at one moment. */
	final class Charge {

		final long at;

		long tokens;

		Charge(long tokens, long at) {
			this.tokens = tokens;
			this.at = at;
		}

	}

}
