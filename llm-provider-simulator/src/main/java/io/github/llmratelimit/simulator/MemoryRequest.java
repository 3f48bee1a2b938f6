package io.github.llmratelimit.simulator;

import java.net.URI;
import java.util.Objects;

import io.github.llmratelimit.simulator.dialect.WireRequest;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.AbstractClientHttpRequest;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * A request that is written to memory instead of a connection.
 */
final class MemoryRequest extends AbstractClientHttpRequest {

	private final HttpMethod method;

	private final URI uri;

	private byte[] body = new byte[0];

	private MemoryRequest(HttpMethod method, URI uri) {
		this.method = method;
		this.uri = uri;
	}

	/** The request as it would go over the wire. */
	static Mono<WireRequest> write(ClientRequest request, ExchangeStrategies strategies) {
		return Mono.defer(() -> {
			MemoryRequest memory = new MemoryRequest(request.method(), request.url());
			return request.writeTo(memory, strategies).then(Mono.fromSupplier(memory::toWireRequest));
		});
	}

	private WireRequest toWireRequest() {
		return new WireRequest(this.method.name(), this.uri.getPath(),
				Objects.requireNonNullElse(this.uri.getQuery(), ""), getHeaders()::getFirst, this.body);
	}

	@Override
	public HttpMethod getMethod() {
		return this.method;
	}

	@Override
	public URI getURI() {
		return this.uri;
	}

	@Override
	public DataBufferFactory bufferFactory() {
		return DefaultDataBufferFactory.sharedInstance;
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T> T getNativeRequest() {
		return (T) this;
	}

	@Override
	public Mono<Void> writeWith(Publisher<? extends DataBuffer> buffers) {
		return doCommit(() -> DataBufferUtils.join(buffers).doOnNext(this::take).then());
	}

	@Override
	public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> buffers) {
		return writeWith(Flux.from(buffers).concatMap((part) -> part));
	}

	@Override
	public Mono<Void> setComplete() {
		return doCommit();
	}

	private void take(DataBuffer buffer) {
		this.body = new byte[buffer.readableByteCount()];
		buffer.read(this.body);
		DataBufferUtils.release(buffer);
	}

	@Override
	protected void applyHeaders() {
		// headers are read where they are
	}

	@Override
	protected void applyCookies() {
		// the provider reads none
	}

}
