package io.github.llmratelimit.benchmarks.exchange;

import org.springframework.web.reactive.function.client.WebClient;

/**
 * A client that is measured.
 *
 * @param name its name
 * @param client the client
 * @param check verifies after a round that it did its work
 */
record Variant(String name, WebClient client, Check check) {

	/**
	 * Verifies what a variant has done.
	 */
	@FunctionalInterface
	interface Check {

		/** A variant that has nothing to do. */
		Check NOTHING = (calls) -> {
		};

		/**
		 * Verify, and start again from nothing.
		 * @param calls number of calls since the last time
		 * @throws IllegalStateException if it did not do its work for each of them
		 */
		void verify(long calls);

	}

}
