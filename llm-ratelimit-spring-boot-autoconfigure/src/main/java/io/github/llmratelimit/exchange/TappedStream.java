package io.github.llmratelimit.exchange;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A response body that passes a tap. Confined to one response.
 */
final class TappedStream extends FilterInputStream {

	private static final int SKIPPED = 2 * 1024;

	private final BodyTap tap;

	private final boolean events;

	/**
	 * Create a stream.
	 * @param body the body
	 * @param tap sees what is read
	 * @param events whether it is a stream of events, which the provider stops writing if
	 * nobody reads it; anything else has been paid for when it comes
	 */
	TappedStream(InputStream body, BodyTap tap, boolean events) {
		super(body);
		this.tap = tap;
		this.events = events;
	}

	@Override
	public int read() throws IOException {
		byte[] one = new byte[1];
		return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
	}

	@Override
	public int read(byte[] bytes, int offset, int length) throws IOException {
		this.tap.begin();
		int read;
		try {
			read = super.read(bytes, offset, length);
		}
		catch (IOException ex) {
			this.tap.fail();
			throw ex;
		}
		if (read < 0) {
			this.tap.complete();
		}
		else {
			this.tap.read(ByteBuffer.wrap(bytes, offset, read));
		}
		return read;
	}

	@Override
	public long skip(long count) throws IOException {
		return Math.max(0, read(new byte[(int) Math.min(count, SKIPPED)]));
	}

	@Override
	public boolean markSupported() {
		return false;
	}

	@Override
	public void close() throws IOException {
		this.tap.begin();
		if (this.events) {
			this.tap.cancel();
		}
		else {
			this.tap.complete();
		}
		super.close();
	}

}
