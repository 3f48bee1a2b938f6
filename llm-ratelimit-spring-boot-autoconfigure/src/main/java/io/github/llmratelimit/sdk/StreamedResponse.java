package io.github.llmratelimit.sdk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * A response with a body of its own, with the methods that the responses of all SDKs
 * have.
 *
 * @param <H> type of the headers
 */
abstract class StreamedResponse<H> {

	private final int status;

	private final H headers;

	private final InputStream body;

	private final Runnable close;

	/**
	 * Create a response.
	 * @param status its HTTP status
	 * @param headers its headers
	 * @param body its body
	 * @param close closes the connection from which the body comes
	 */
	StreamedResponse(int status, H headers, InputStream body, Runnable close) {
		this.status = status;
		this.headers = headers;
		this.body = body;
		this.close = close;
	}

	public int statusCode() {
		return this.status;
	}

	public H headers() {
		return this.headers;
	}

	public InputStream body() {
		return this.body;
	}

	public void close() {
		try {
			this.body.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			this.close.run();
		}
	}

}
