package io.github.llmratelimit.simulator;

import org.jspecify.annotations.Nullable;

/**
 * Where an account's limits stand at one moment. Immutable.
 *
 * @param requests requests per minute, if limited
 * @param tokens tokens per minute, if limited
 */
record Levels(@Nullable Level requests, @Nullable Level tokens) {

	/**
	 * Where one limit stands.
	 *
	 * @param limit per minute
	 * @param remaining what could be spent at once
	 * @param resetNanos how long until all of it is free
	 */
	record Level(long limit, long remaining, long resetNanos) {

		static Level of(long limit, long used, long resetNanos) {
			return new Level(limit, Math.max(0, limit - used), resetNanos);
		}

	}

}
