package io.github.llmratelimit.provider;

import org.jspecify.annotations.Nullable;

/**
 * Where in a JSON document a scanner is, and what is of interest there. Not thread-safe;
 * bounded memory.
 */
final class JsonPosition {

	/** Deeper levels are skipped unseen. */
	private static final int MAX_LEVELS = 16;

	private final JsonPaths root;

	/** What is of interest in each open level. */
	private final @Nullable JsonPaths[] levels = new JsonPaths[MAX_LEVELS];

	/** Bit n is set if level n is an object. */
	private int objects;

	private int level;

	/** Open levels inside a value that is of no interest. */
	private int skipped;

	/** What is of interest in the next value. */
	private @Nullable JsonPaths next;

	private boolean keyIsNext;

	JsonPosition(JsonPaths root) {
		this.root = root;
		this.next = root;
	}

	/** Whether this is inside a value of no interest. */
	boolean isSkipping() {
		return this.skipped > 0;
	}

	/** Whether this is between two documents. */
	boolean isOutside() {
		return this.level == 0 && this.skipped == 0;
	}

	boolean keyIsNext() {
		return this.keyIsNext;
	}

	/** What the next value says, {@code null} if it is of no interest. */
	@Nullable BodyField field() {
		return (this.next != null && this.skipped == 0) ? this.next.field() : null;
	}

	void open(boolean object) {
		if (this.next == null || this.skipped > 0 || this.level == MAX_LEVELS) {
			this.skipped++;
			return;
		}
		int bit = 1 << this.level;
		this.objects = object ? this.objects | bit : this.objects & ~bit;
		this.levels[this.level++] = this.next;
		this.keyIsNext = object;
	}

	void close() {
		if (this.skipped > 0) {
			this.skipped--;
		}
		else if (this.level > 0) {
			this.level--;
		}
		this.keyIsNext = false;
	}

	/** To the next element or member. */
	void separate() {
		if (this.level > 0) {
			this.keyIsNext = (this.objects >>> (this.level - 1) & 1) != 0;
			this.next = this.keyIsNext ? null : this.levels[this.level - 1];
		}
	}

	/** To the value of a key. */
	void key(byte[] bytes, int from, int to) {
		JsonPaths parent = this.levels[this.level - 1];
		this.next = (parent != null) ? parent.below(bytes, from, to) : null;
		this.keyIsNext = false;
	}

	/** To the next document. */
	void reset() {
		this.level = 0;
		this.skipped = 0;
		this.next = this.root;
		this.keyIsNext = false;
	}

}
