package io.github.llmratelimit.provider;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Finds the values of interest in JSON documents that come one after the other, in pieces
 * cut anywhere. Keys inside strings or elsewhere in the document do not mislead it, and
 * broken JSON only makes it find less. Not thread-safe; bounded memory.
 */
final class JsonScanner {

	/** Longer values are cut. */
	static final int MAX_VALUE = 4096;

	private final JsonPosition position;

	private final Sink sink;

	private State state = State.BETWEEN;

	private Use use = Use.NONE;

	private byte[] value = new byte[32];

	private int length;

	private final OutputCount output = new OutputCount();

	JsonScanner(JsonPaths root, Sink sink) {
		this.position = new JsonPosition(root);
		this.sink = sink;
	}

	/** Reads the bytes between two indexes. */
	void read(byte[] bytes, int from, int to) {
		int at = from;
		while (at < to) {
			at = switch (this.state) {
				case BETWEEN -> this.position.isSkipping() ? skip(bytes, at, to) : between(bytes, at, to);
				case STRING -> string(bytes, at, to);
				case ESCAPE -> escape(bytes, at);
				case SCALAR -> scalar(bytes, at, to);
			};
		}
	}

	/** Hands over the value that has begun, as far as it was read. */
	void flush() {
		if (this.state != State.BETWEEN && this.use == Use.VALUE) {
			value();
		}
	}

	/** Ends the document that has begun, whether it is complete or not. */
	void reset() {
		this.position.reset();
		this.state = State.BETWEEN;
		this.use = Use.NONE;
		this.sink.end();
	}

	/** Roughly how many tokens the output texts had. */
	long outputTokens() {
		return this.output.tokens();
	}

	private int between(byte[] bytes, int at, int to) {
		byte read = bytes[at];
		switch (read) {
			case '"' -> {
				begin(State.STRING);
				return string(bytes, at + 1, to);
			}
			case '{' -> this.position.open(true);
			case '[' -> this.position.open(false);
			case '}', ']' -> close();
			case ',' -> this.position.separate();
			case ':', ' ', '\t', '\r', '\n' -> {
			}
			default -> {
				begin(State.SCALAR);
				return scalar(bytes, at, to);
			}
		}
		return at + 1;
	}

	/** Inside a value of no interest only brackets and quotes matter. */
	private int skip(byte[] bytes, int from, int to) {
		int at = ByteSearch.skipUnstructured(bytes, from, to);
		if (at < to) {
			switch (bytes[at++]) {
				case '"' -> {
					begin(State.STRING);
					return string(bytes, at, to);
				}
				case '{', '[' -> this.position.open(false);
				case '}', ']' -> close();
				default -> {
				}
			}
		}
		return at;
	}

	private void close() {
		this.position.close();
		endValue();
	}

	private void endValue() {
		if (this.position.isOutside()) {
			this.position.reset();
			this.sink.end();
		}
	}

	private void begin(State state) {
		this.state = state;
		this.use = use(state);
		this.length = 0;
	}

	private Use use(State state) {
		if (this.position.isSkipping()) {
			return Use.NONE;
		}
		if (this.position.keyIsNext()) {
			return Use.KEY;
		}
		BodyField field = this.position.field();
		if (field == BodyField.OUTPUT_TEXT) {
			return (state == State.STRING) ? Use.OUTPUT : Use.NONE;
		}
		return (field != null) ? Use.VALUE : Use.NONE;
	}

	private int string(byte[] bytes, int from, int to) {
		int at = ByteSearch.endOfPlain(bytes, from, to);
		if (at < to && this.use == Use.KEY && this.length == 0 && bytes[at] == '"') {
			endKey(bytes, from, at);
			return at + 1;
		}
		keep(bytes, from, at);
		if (at == to) {
			return at;
		}
		if (bytes[at] == '"') {
			endString();
		}
		else {
			keep(bytes, at, at + 1);
			this.state = State.ESCAPE;
		}
		return at + 1;
	}

	private int escape(byte[] bytes, int at) {
		keep(bytes, at, at + 1);
		this.state = State.STRING;
		return at + 1;
	}

	private void endString() {
		if (this.use == Use.KEY) {
			endKey(this.value, 0, this.length);
			return;
		}
		this.state = State.BETWEEN;
		if (this.use == Use.VALUE) {
			value();
		}
		endValue();
	}

	private void endKey(byte[] bytes, int from, int to) {
		this.position.key(bytes, from, to);
		this.state = State.BETWEEN;
	}

	private int scalar(byte[] bytes, int from, int to) {
		int at = from;
		while (at < to && !ByteSearch.isDelimiter(bytes[at])) {
			at++;
		}
		keep(bytes, from, at);
		if (at < to) {
			this.state = State.BETWEEN;
			if (this.use == Use.VALUE) {
				value();
			}
			endValue();
		}
		return at;
	}

	private void value() {
		BodyField field = this.position.field();
		if (field != null) {
			this.sink.value(field, this.value, this.length);
		}
	}

	private void keep(byte[] bytes, int from, int to) {
		switch (this.use) {
			case KEY, VALUE -> copy(bytes, from, Math.min(to - from, MAX_VALUE - this.length));
			case OUTPUT -> this.output.add(bytes, from, to);
			case NONE -> {
			}
		}
	}

	private void copy(byte[] bytes, int from, int count) {
		if (this.value.length < this.length + count) {
			this.value = Arrays.copyOf(this.value, Math.max(this.length + count, 2 * this.value.length));
		}
		System.arraycopy(bytes, from, this.value, this.length, count);
		this.length += count;
	}

	/**
	 * Where what was found goes.
	 */
	interface Sink {

		/**
		 * A value of interest.
		 * @param field what it says
		 * @param value begins with the bytes as they stand in the document, without
		 * quotes; to be read at once
		 * @param length number of bytes
		 */
		void value(BodyField field, byte[] value, int length);

		/** The end of a document. */
		void end();

	}

	/** Where in a document the next byte is. */
	private enum State {

		BETWEEN, STRING, ESCAPE, SCALAR

	}

	/** What a string or scalar is read for. */
	private enum Use {

		NONE, KEY, VALUE, OUTPUT

	}

}
