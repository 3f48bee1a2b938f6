package io.github.llmratelimit.exchange;

import java.util.function.UnaryOperator;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A client whose responses are read from a {@link Flux}. What has to be read of a
 * response before its caller gets it is asked for chunk by chunk, and no thread waits.
 *
 * @param <R> type of the responses
 * @param <B> type of the chunks of their bodies
 */
public abstract class PublisherTransport<R, B> implements HttpTransport<R> {

	/**
	 * The body of a response.
	 * @param response a response
	 * @return its body, which can be subscribed to once
	 */
	protected abstract Flux<B> body(R response);

	/**
	 * A response with another body.
	 * @param response a response
	 * @param change makes the other body of the one it has
	 * @return the same response with it
	 */
	protected abstract R map(R response, UnaryOperator<Flux<B>> change);

	/**
	 * Show the bytes of a chunk to a tap.
	 * @param chunk the chunk, which is left as it is
	 * @param tap sees them
	 */
	protected abstract void read(B chunk, BodyTap tap);

	/**
	 * Copy the bytes of a chunk that nobody else will see, and free what it holds.
	 * @param chunk the chunk
	 * @return its bytes
	 */
	protected abstract byte[] take(B chunk);

	/**
	 * A chunk.
	 * @param bytes its bytes
	 * @return the chunk
	 */
	protected abstract B chunk(byte[] bytes);

	@Override
	public Mono<PeekedResponse<R>> peek(R response, int enough) {
		return Mono.create((sink) -> {
			BodyPeek<R, B> peek = new BodyPeek<>(this, response, enough, sink);
			sink.onCancel(peek);
			body(response).subscribe(peek);
		});
	}

	@Override
	public R tap(R response, BodyTap tap) {
		return map(response, (body) -> new TappedBody<>(body, this, tap));
	}

}
