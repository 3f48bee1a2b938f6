package io.github.llmratelimit.benchmarks.goodput;

import java.util.Arrays;
import java.util.Random;

/**
 * Calls that are made all at once, with the tokens each is charged.
 *
 * @param name how the sizes are spread
 * @param tokens the charge of each call
 */
@SuppressWarnings("ArrayRecordComponent")
record Batch(String name, long[] tokens) {

	private static final double SIGMA = 0.8;

	private static final long LARGEST = 50_000;

	static Batch fixed(int calls, long tokens) {
		long[] sizes = new long[calls];
		Arrays.fill(sizes, tokens);
		return new Batch("fixed", sizes);
	}

	/** Most calls small, a few very large, as real prompts are. */
	static Batch lognormal(int calls, double mean, long seed) {
		Random random = new Random(seed);
		double mu = Math.log(mean) - SIGMA * SIGMA / 2;
		long[] sizes = new long[calls];
		for (int i = 0; i < calls; i++) {
			long size = Math.round(Math.exp(mu + SIGMA * random.nextGaussian()));
			sizes[i] = Math.max(1, Math.min(LARGEST, size));
		}
		return new Batch("lognormal", sizes);
	}

	int calls() {
		return this.tokens.length;
	}

}
