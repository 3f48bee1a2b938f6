package io.github.llmratelimit.provider;

/**
 * Passes the data of server-sent events on, in pieces cut anywhere, without keeping any.
 * Not thread-safe.
 */
final class EventStreamScanner {

	private static final String DATA = "data:";

	private final JsonScanner data;

	/** How much of the field name this line begins with, -1 if with another. */
	private int matched;

	private boolean afterReturn;

	EventStreamScanner(JsonScanner data) {
		this.data = data;
	}

	/** Reads the bytes between two indexes. */
	void read(byte[] bytes, int from, int to) {
		int at = from;
		while (at < to) {
			at = (this.matched >= 0 && this.matched < DATA.length()) ? name(bytes, at) : rest(bytes, at, to);
		}
	}

	private int name(byte[] bytes, int at) {
		byte read = bytes[at];
		if (ByteSearch.isLineBreak(read)) {
			endLine(read);
			return at + 1;
		}
		this.afterReturn = false;
		this.matched = (read == DATA.charAt(this.matched)) ? this.matched + 1 : -1;
		return at + 1;
	}

	private int rest(byte[] bytes, int from, int to) {
		int at = ByteSearch.endOfLine(bytes, from, to);
		if (this.matched > 0) {
			this.data.read(bytes, from, at);
		}
		if (at == to) {
			return at;
		}
		endLine(bytes[at]);
		return at + 1;
	}

	/** An empty line ends an event; a line feed after a carriage return ends no line. */
	private void endLine(byte read) {
		boolean belongsToLast = read == '\n' && this.afterReturn;
		if (this.matched == 0 && !belongsToLast) {
			this.data.reset();
		}
		this.matched = 0;
		this.afterReturn = read == '\r';
	}

}
