package io.github.llmratelimit.benchmarks.acquire;

import org.openjdk.jmh.annotations.Benchmark;

/**
 * What nothing that knows the time can be faster than.
 */
public class Floor {

	/**
	 * One reading of the clock.
	 * @return the time
	 */
	@Benchmark
	public long nanoTime() {
		return System.nanoTime();
	}

}
