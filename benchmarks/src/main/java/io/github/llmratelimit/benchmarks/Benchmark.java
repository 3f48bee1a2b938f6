package io.github.llmratelimit.benchmarks;

/**
 * Something that is measured. Prints tables and, as the last line, its result.
 */
@FunctionalInterface
public interface Benchmark {

	/**
	 * Measure and print.
	 * @param arguments the options given
	 * @return the exit code: 0, or 1 if the run is void
	 * @throws Exception if it cannot be measured
	 */
	int run(Arguments arguments) throws Exception;

}
