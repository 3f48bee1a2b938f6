package io.github.llmratelimit.provider;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Feeds the payloads of Amazon's binary event streams
 * ({@code application/vnd.amazon.eventstream}) to a JSON scanner, one document each. A
 * message is its length, the length of its headers, a checksum, headers, payload and
 * another checksum. Checksums are not verified.
 */
final class MessageStreamScanner {

	private static final int PRELUDE = 12;

	private static final int CHECKSUM = 4;

	/** Longer headers are cut, and larger messages not read. */
	private static final int MAX_HEADERS = 1024;

	private static final int MAX_MESSAGE = 24 * 1024 * 1024;

	private static final byte[] EXCEPTION_TYPE = ":exception-type".getBytes(StandardCharsets.US_ASCII);

	private final JsonScanner payload;

	private final JsonScanner.Sink sink;

	private final byte[] prelude = new byte[PRELUDE];

	private final byte[] headers = new byte[MAX_HEADERS];

	private int position;

	/** Where in the message its payload begins and ends. */
	private int begin = PRELUDE;

	private int end = PRELUDE;

	private boolean isBroken;

	MessageStreamScanner(JsonScanner payload, JsonScanner.Sink sink) {
		this.payload = payload;
		this.sink = sink;
	}

	/** Reads the bytes between two indexes. */
	void read(byte[] bytes, int from, int to) {
		int at = from;
		while (at < to && !this.isBroken) {
			int read = Math.min(to - at, partEnd() - this.position);
			readPart(bytes, at, read);
			at += read;
			this.position += read;
			endPart();
		}
	}

	private int partEnd() {
		if (this.position < PRELUDE) {
			return PRELUDE;
		}
		return (this.position < this.begin) ? this.begin : (this.position < this.end) ? this.end : this.end + CHECKSUM;
	}

	private void readPart(byte[] bytes, int from, int count) {
		if (this.position < PRELUDE) {
			System.arraycopy(bytes, from, this.prelude, this.position, count);
		}
		else if (this.position < this.begin) {
			int at = this.position - PRELUDE;
			System.arraycopy(bytes, from, this.headers, Math.min(at, MAX_HEADERS),
					Math.max(0, Math.min(count, MAX_HEADERS - at)));
		}
		else if (this.position < this.end) {
			this.payload.read(bytes, from, from + count);
		}
	}

	private void endPart() {
		if (this.position == PRELUDE) {
			readPrelude();
		}
		if (this.position == this.begin) {
			readHeaders(ByteBuffer.wrap(this.headers, 0, Math.min(this.begin - PRELUDE, MAX_HEADERS)));
		}
		if (this.position == this.end + CHECKSUM) {
			this.payload.reset();
			this.position = 0;
		}
	}

	private void readPrelude() {
		ByteBuffer lengths = ByteBuffer.wrap(this.prelude);
		int length = lengths.getInt();
		int headersLength = lengths.getInt();
		this.isBroken = length > MAX_MESSAGE || headersLength < 0 || headersLength > length - PRELUDE - CHECKSUM;
		this.begin = PRELUDE + headersLength;
		this.end = length - CHECKSUM;
	}

	/** A header is a name, the type of its value, and the value. */
	private void readHeaders(ByteBuffer headers) {
		while (headers.hasRemaining()) {
			int nameLength = headers.get() & 0xff;
			if (headers.remaining() < nameLength + 1) {
				return;
			}
			boolean isExceptionType = isAt(headers, EXCEPTION_TYPE, nameLength);
			headers.position(headers.position() + nameLength);
			int length = valueLength(headers);
			if (length < 0 || headers.remaining() < length) {
				return;
			}
			if (isExceptionType) {
				byte[] value = new byte[length];
				headers.get(value);
				this.sink.value(BodyField.ERROR_TYPE, value, length);
				return;
			}
			headers.position(headers.position() + length);
		}
	}

	private static boolean isAt(ByteBuffer bytes, byte[] expected, int length) {
		int from = bytes.position();
		return length == expected.length
				&& Arrays.equals(bytes.array(), from, from + length, expected, 0, expected.length);
	}

	/** Reads the type of a value, and its length where the type does not say it. */
	private static int valueLength(ByteBuffer headers) {
		return switch (headers.get()) {
			case 0, 1 -> 0;
			case 2 -> 1;
			case 3 -> 2;
			case 4 -> 4;
			case 5, 8 -> 8;
			case 6, 7 -> (headers.remaining() < 2) ? -1 : headers.getShort() & 0xffff;
			case 9 -> 16;
			default -> -1;
		};
	}

}
