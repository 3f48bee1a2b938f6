package io.github.llmratelimit.jdkclient;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow.Publisher;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.exchange.BodyTap;
import io.github.llmratelimit.exchange.LlmRequest;
import io.github.llmratelimit.exchange.PublisherTransport;
import io.github.llmratelimit.provider.ResponseHead;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sends a request of an HttpClient.
 */
final class HttpClientTransport extends PublisherTransport<PublishedResponse, List<ByteBuffer>> {

	private final ReadRequest request;

	private final Function<HttpRequest, Mono<HttpResponse<Publisher<List<ByteBuffer>>>>> client;

	HttpClientTransport(ReadRequest request,
			Function<HttpRequest, Mono<HttpResponse<Publisher<List<ByteBuffer>>>>> client) {
		this.request = request;
		this.client = client;
	}

	@Override
	public Mono<PublishedResponse> send(LlmRequest request) {
		return this.client.apply(this.request.toSend(request)).map(PublishedResponse::of);
	}

	@Override
	public ResponseHead head(PublishedResponse response) {
		return new ResponseHead(response.statusCode(), (name) -> response.headers().firstValue(name).orElse(null));
	}

	@Override
	protected Flux<List<ByteBuffer>> body(PublishedResponse response) {
		return response.body();
	}

	@Override
	protected PublishedResponse map(PublishedResponse response, UnaryOperator<Flux<List<ByteBuffer>>> change) {
		return response.withBody(change.apply(response.body()));
	}

	@Override
	protected void read(List<ByteBuffer> buffers, BodyTap tap) {
		buffers.forEach(tap::read);
	}

	@Override
	protected byte[] take(List<ByteBuffer> buffers) {
		byte[] bytes = new byte[buffers.stream().mapToInt(ByteBuffer::remaining).sum()];
		ByteBuffer all = ByteBuffer.wrap(bytes);
		buffers.forEach(all::put);
		return bytes;
	}

	@Override
	protected List<ByteBuffer> chunk(byte[] bytes) {
		return List.of(ByteBuffer.wrap(bytes).asReadOnlyBuffer());
	}

	@Override
	public PublishedResponse respond(int status, String contentType, byte[] body) {
		return PublishedResponse.of(this.request.request(), status, contentType,
				Flux.defer(() -> Flux.just(chunk(body))));
	}

	@Override
	public PublishedResponse mark(PublishedResponse response, String name, String value) {
		return response.withHeader(name, value);
	}

	@Override
	public Mono<Void> discard(PublishedResponse response) {
		return response.discard();
	}

}
