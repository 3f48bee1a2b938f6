package io.github.llmratelimit.benchmarks.simulation;

import java.util.Arrays;
import java.util.Random;

/**
 * Calls with the tokens each is charged, shared by clients that make one call at a time.
 *
 * @param name how the sizes are spread
 * @param tokens the charge of each call
 * @param clients how many calls are made at the same time
 */
@SuppressWarnings("ArrayRecordComponent")
public record Batch(String name, long[] tokens, int clients) {

	private static final double SIGMA = 0.8;

	private static final long LARGEST = 50_000;

	/**
	 * Calls of the same size, all at once.
	 * @param calls how many calls
	 * @param tokens the charge of each
	 * @return the batch
	 */
	public static Batch fixed(int calls, long tokens) {
		long[] sizes = new long[calls];
		Arrays.fill(sizes, tokens);
		return new Batch("fixed", sizes, calls);
	}

	/**
	 * Calls of which most are small and a few very large, as real prompts are, all at
	 * once.
	 * @param calls how many calls
	 * @param mean the mean charge
	 * @param seed seed of the sizes
	 * @return the batch
	 */
	public static Batch lognormal(int calls, double mean, long seed) {
		Random random = new Random(seed);
		double mu = Math.log(mean) - SIGMA * SIGMA / 2;
		long[] sizes = new long[calls];
		for (int i = 0; i < calls; i++) {
			long size = Math.round(Math.exp(mu + SIGMA * random.nextGaussian()));
			sizes[i] = Math.max(1, Math.min(LARGEST, size));
		}
		return new Batch("lognormal", sizes, calls);
	}

	public Batch withClients(int clients) {
		return new Batch(this.name, this.tokens, clients);
	}

	int calls() {
		return this.tokens.length;
	}

}
