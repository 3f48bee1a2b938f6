package io.github.llmratelimit.provider;

/**
 * Passes the data and names of server-sent events on, in pieces cut anywhere, without
 * keeping any. Not thread-safe; bounded memory.
 */
final class EventStreamScanner {

	private static final String DATA = "data:";

	private static final String EVENT = "event:";

	/** Longer names are cut. */
	private static final int MAX_NAME = 32;

	private final JsonScanner data;

	private final JsonScanner.Sink sink;

	/** The field with which this line may begin. */
	private String field = DATA;

	/** How much of it this line begins with, -1 if with another. */
	private int matched;

	private final byte[] name = new byte[MAX_NAME];

	private int length;

	private boolean afterReturn;

	EventStreamScanner(JsonScanner data, JsonScanner.Sink sink) {
		this.data = data;
		this.sink = sink;
	}

	/** Reads the bytes between two indexes. */
	void read(byte[] bytes, int from, int to) {
		int at = from;
		while (at < to) {
			at = (this.matched >= 0 && this.matched < this.field.length()) ? field(bytes, at) : rest(bytes, at, to);
		}
	}

	private int field(byte[] bytes, int at) {
		byte read = bytes[at];
		if (ByteSearch.isLineBreak(read)) {
			endLine(read);
			return at + 1;
		}
		this.afterReturn = false;
		if (this.matched == 0) {
			this.field = (read == EVENT.charAt(0)) ? EVENT : DATA;
		}
		this.matched = (read == this.field.charAt(this.matched)) ? this.matched + 1 : -1;
		return at + 1;
	}

	private int rest(byte[] bytes, int from, int to) {
		int at = ByteSearch.endOfLine(bytes, from, to);
		if (this.matched > 0) {
			value(bytes, from, at);
		}
		if (at == to) {
			return at;
		}
		endLine(bytes[at]);
		return at + 1;
	}

	private void value(byte[] bytes, int from, int to) {
		if (this.field.equals(DATA)) {
			this.data.read(bytes, from, to);
			return;
		}
		for (int i = from; i < to && this.length < MAX_NAME; i++) {
			if (bytes[i] != ' ') {
				this.name[this.length++] = bytes[i];
			}
		}
	}

	/** An empty line ends an event; a line feed after a carriage return ends no line. */
	private void endLine(byte read) {
		boolean belongsToLast = read == '\n' && this.afterReturn;
		if (this.length > 0) {
			this.sink.value(BodyField.EVENT, this.name, this.length);
			this.length = 0;
		}
		else if (this.matched == 0 && !belongsToLast) {
			this.data.reset();
		}
		this.matched = 0;
		this.afterReturn = read == '\r';
	}

}
