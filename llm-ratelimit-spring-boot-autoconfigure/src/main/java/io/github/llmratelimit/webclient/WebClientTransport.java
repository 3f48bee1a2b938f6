package io.github.llmratelimit.webclient;

import java.util.function.UnaryOperator;

import io.github.llmratelimit.exchange.BodyTap;
import io.github.llmratelimit.exchange.LlmRequest;
import io.github.llmratelimit.exchange.PublisherTransport;
import io.github.llmratelimit.provider.ResponseHead;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * Sends a request of a WebClient.
 */
final class WebClientTransport extends PublisherTransport<ClientResponse, DataBuffer> {

	private final EncodedRequest request;

	private final ExchangeStrategies codecs;

	private final ExchangeFunction next;

	WebClientTransport(EncodedRequest request, ExchangeStrategies codecs, ExchangeFunction next) {
		this.request = request;
		this.codecs = codecs;
		this.next = next;
	}

	@Override
	public Mono<ClientResponse> send(LlmRequest request) {
		return this.next.exchange(this.request.toSend(request));
	}

	@Override
	public ResponseHead head(ClientResponse response) {
		return new ResponseHead(response.statusCode().value(), response.headers().asHttpHeaders()::getFirst);
	}

	@Override
	protected Flux<DataBuffer> body(ClientResponse response) {
		return response.bodyToFlux(DataBuffer.class);
	}

	@Override
	protected ClientResponse map(ClientResponse response, UnaryOperator<Flux<DataBuffer>> change) {
		return response.mutate().body(change).build();
	}

	@Override
	protected void read(DataBuffer buffer, BodyTap tap) {
		try (DataBuffer.ByteBufferIterator chunks = buffer.readableByteBuffers()) {
			chunks.forEachRemaining(tap::read);
		}
	}

	@Override
	protected byte[] take(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

	@Override
	protected DataBuffer chunk(byte[] bytes) {
		return DefaultDataBufferFactory.sharedInstance.wrap(bytes);
	}

	@Override
	public ClientResponse respond(int status, String contentType, byte[] body) {
		return ClientResponse.create(HttpStatusCode.valueOf(status), this.codecs)
			.header(HttpHeaders.CONTENT_TYPE, contentType)
			.body(Flux.defer(() -> Flux.just(chunk(body))))
			.build();
	}

	@Override
	public ClientResponse mark(ClientResponse response, String name, String value) {
		return response.mutate().header(name, value).build();
	}

	@Override
	public Mono<Void> discard(ClientResponse response) {
		return response.releaseBody();
	}

}
