package io.github.llmratelimit.exchange;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * A client whose responses are read from an {@link InputStream}. What has to be read of a
 * response before its caller gets it is read on the thread on which it came.
 *
 * @param <R> type of the responses
 */
public abstract class StreamTransport<R> implements HttpTransport<R> {

	private static final int CHUNK = 8 * 1024;

	/**
	 * The body of a response.
	 * @param response a response
	 * @return the stream from which it is read
	 * @throws IOException if there is none
	 */
	protected abstract InputStream body(R response) throws IOException;

	/**
	 * A response with another body.
	 * @param response a response
	 * @param body the stream from which the body is read instead, which MUST be closed
	 * when the response is, before that is
	 * @return the same response with it
	 */
	protected abstract R with(R response, InputStream body);

	@Override
	public Mono<PeekedResponse<R>> peek(R response, int enough) {
		return Mono.fromCallable(() -> read(response, enough));
	}

	private PeekedResponse<R> read(R response, int enough) throws IOException {
		InputStream body = body(response);
		ByteArrayOutputStream beginning = new ByteArrayOutputStream(1024);
		boolean complete = readInto(beginning, body, enough);
		byte[] bytes = beginning.toByteArray();
		InputStream known = new ByteArrayInputStream(bytes);
		if (complete) {
			body.close();
		}
		return new PeekedResponse<>(with(response, complete ? known : new SequenceInputStream(known, body)), bytes,
				complete);
	}

	/*
	 * A body that breaks off breaks off for its reader too, if it still tells something.
	 */
	private static boolean readInto(ByteArrayOutputStream beginning, InputStream body, int enough) throws IOException {
		byte[] chunk = new byte[CHUNK];
		try {
			while (beginning.size() < enough) {
				int length = body.read(chunk);
				if (length < 0) {
					return true;
				}
				beginning.write(chunk, 0, length);
			}
			return false;
		}
		catch (IOException ex) {
			if (beginning.size() == 0) {
				throw ex;
			}
			return false;
		}
	}

	@Override
	public R tap(R response, BodyTap tap) {
		try {
			return with(response, new TappedStream(body(response), tap, head(response).isEventStream()));
		}
		catch (IOException ex) {
			throw Exceptions.propagate(ex);
		}
	}

	@Override
	public Mono<Void> discard(R response) {
		return Mono.fromCallable(() -> {
			body(response).close();
			return null;
		});
	}

}
