package io.github.llmratelimit.limit;

import org.jspecify.annotations.Nullable;

/**
 * Calls in flight, and how many there may be. Not thread-safe.
 */
final class ConcurrencySlots {

	private final @Nullable Integer max;

	private int inUse;

	ConcurrencySlots(@Nullable Integer max) {
		this.max = max;
	}

	boolean isFull() {
		return this.max != null && this.inUse >= this.max;
	}

	void take() {
		this.inUse++;
	}

	void free() {
		this.inUse--;
	}

	int inUse() {
		return this.inUse;
	}

	@Nullable Integer max() {
		return this.max;
	}

}
