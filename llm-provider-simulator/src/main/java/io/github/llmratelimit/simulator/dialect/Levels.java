package io.github.llmratelimit.simulator.dialect;

import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Where an account's limits stand at one moment, as far as it has them. Immutable.
 *
 * @param requests requests per minute
 * @param tokens tokens per minute, whatever their kind
 * @param inputTokens input tokens per minute
 * @param outputTokens output tokens per minute
 */
public record Levels(@Nullable Level requests, @Nullable Level tokens, @Nullable Level inputTokens,
		@Nullable Level outputTokens) {

	public Levels(@Nullable Level requests, @Nullable Level tokens) {
		this(requests, tokens, null, null);
	}

	/** The limit on tokens, of any kind, of which least remains. */
	@Nullable Level tightestTokens() {
		return Stream.of(this.tokens, this.inputTokens, this.outputTokens)
			.filter(Objects::nonNull)
			.min(Comparator.comparingLong(Level::remaining))
			.orElse(null);
	}

	/**
	 * Where one limit stands.
	 *
	 * @param limit per minute
	 * @param remaining what could be spent at once
	 * @param resetNanos how long until all of it is free
	 */
	public record Level(long limit, long remaining, long resetNanos) {

		/** The level of a limit of which so much is used, perhaps more than all. */
		public static Level of(long limit, long used, long resetNanos) {
			return new Level(limit, Math.max(0, limit - used), resetNanos);
		}

	}

}
