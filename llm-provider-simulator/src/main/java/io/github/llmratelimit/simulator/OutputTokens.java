package io.github.llmratelimit.simulator;

import java.util.random.RandomGenerator;

/**
 * How many tokens the simulated model writes when nothing cuts it short.
 */
@FunctionalInterface
public interface OutputTokens {

	/**
	 * The length of the next answer.
	 * @param random the provider's seeded generator
	 * @return tokens, not negative
	 */
	int draw(RandomGenerator random);

	/** The same length every time. */
	static OutputTokens fixed(int tokens) {
		return (random) -> tokens;
	}

	/** Any length between the two, inclusive, with the same probability. */
	static OutputTokens uniform(int min, int max) {
		if (min < 0 || max < min) {
			throw new IllegalArgumentException(
					"output tokens: %d to %d (expected: 0 <= min <= max)".formatted(min, max));
		}
		return (random) -> random.nextInt(min, max + 1);
	}

	/**
	 * Lengths as real answers have them: most short, a few very long.
	 * @param mean the mean length in tokens
	 * @param sigma the standard deviation of the length's logarithm; 0.5 to 1 is usual
	 */
	static OutputTokens lognormal(double mean, double sigma) {
		double mu = Math.log(mean) - sigma * sigma / 2;
		return (random) -> (int) Math.round(Math.exp(mu + sigma * random.nextGaussian()));
	}

}
