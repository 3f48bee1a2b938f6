package io.github.llmratelimit.sdk;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * A JSON body in memory, with the methods that the bodies of all SDKs have.
 */
abstract class JsonBody {

	private final ByteBuffer json;

	JsonBody(ByteBuffer json) {
		this.json = json;
	}

	public void writeTo(OutputStream output) {
		try {
			output.write(this.json.array(), this.json.arrayOffset() + this.json.position(), this.json.remaining());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public String contentType() {
		return "application/json";
	}

	public long contentLength() {
		return this.json.remaining();
	}

	public boolean repeatable() {
		return true;
	}

	public void close() {
	}

}
