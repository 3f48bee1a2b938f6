package io.github.llmratelimit.limit;

import org.jspecify.annotations.Nullable;

/**
 * Calls in flight, and how many there may be. Not thread-safe.
 */
final class ConcurrencySlots {

	private final int max;

	private int inUse;

	ConcurrencySlots(@Nullable Integer max) {
		this.max = (max != null) ? max : Integer.MAX_VALUE;
	}

	boolean isFull() {
		return this.inUse >= this.max;
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
		return (this.max != Integer.MAX_VALUE) ? this.max : null;
	}

}
