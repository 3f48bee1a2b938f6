package io.github.llmratelimit.token;

/**
 * A place in a JSON text, and what it is nested in. Not thread-safe.
 */
final class JsonCursor {

	/** As many levels as there are bits to say which of them are objects. */
	private static final int MAX_DEPTH = Long.SIZE;

	private final byte[] body;

	private final int end;

	private int at;

	private int depth;

	/** Bit n is set if level n is an object. */
	private long objects;

	private boolean keyIsNext;

	JsonCursor(byte[] body, int from, int end) {
		this.body = body;
		this.at = from;
		this.end = end;
	}

	/** The next byte that is not blank, -1 at the end; the cursor stays before it. */
	int next() {
		while (this.at < this.end) {
			byte next = this.body[this.at];
			if (next > ' ' || next < 0) {
				return next & 0xff;
			}
			this.at++;
		}
		return -1;
	}

	int at() {
		return this.at;
	}

	void moveTo(int index) {
		this.at = index;
	}

	/** How many objects and arrays this is in. */
	int depth() {
		return this.depth;
	}

	boolean inObject() {
		return (this.objects >>> (this.depth - 1) & 1) != 0;
	}

	/** Whether a string would be a key. */
	boolean keyIsNext() {
		return this.keyIsNext;
	}

	/**
	 * Enter an object or an array.
	 * @return false if it is nested too deeply
	 */
	boolean open(boolean object) {
		if (this.depth == MAX_DEPTH) {
			return false;
		}
		long bit = 1L << this.depth++;
		this.objects = object ? this.objects | bit : this.objects & ~bit;
		this.keyIsNext = object;
		this.at++;
		return true;
	}

	/**
	 * Leave an object or an array.
	 * @return false if it was the other one
	 */
	boolean close(boolean object) {
		if (inObject() != object) {
			return false;
		}
		this.depth--;
		this.keyIsNext = false;
		this.at++;
		return true;
	}

	/** Pass a comma. */
	boolean separate() {
		this.keyIsNext = inObject();
		this.at++;
		return true;
	}

	/**
	 * Pass the colon behind a key.
	 * @return false if there is none
	 */
	boolean assign() {
		if (next() != ':') {
			return false;
		}
		this.keyIsNext = false;
		this.at++;
		return true;
	}

	/**
	 * Pass a number, {@code true}, {@code false} or {@code null}.
	 * @return false if there is none
	 */
	boolean scalar() {
		int from = this.at;
		while (this.at < this.end && isScalar(this.body[this.at])) {
			this.at++;
		}
		return this.at > from;
	}

	private static boolean isScalar(byte character) {
		return character >= '0' && character <= '9' || character >= 'a' && character <= 'z' || character == '-'
				|| character == '+' || character == '.' || character == 'E';
	}

	/** The whole number from an index up to here, -1 if it is none or too large. */
	long number(int from) {
		long number = 0;
		for (int i = from; i < this.at; i++) {
			int digit = this.body[i] - '0';
			if (digit < 0 || digit > 9 || number > Integer.MAX_VALUE) {
				return -1;
			}
			number = 10 * number + digit;
		}
		return number;
	}

}
