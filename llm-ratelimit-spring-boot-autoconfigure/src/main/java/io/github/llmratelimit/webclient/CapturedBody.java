package io.github.llmratelimit.webclient;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Supplier;

import io.github.llmratelimit.exchange.LlmRequest;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.client.ClientRequest;

/**
 * Takes the place of the connection while a body is encoded. Keeps JSON of known, bounded
 * length; does not even subscribe to anything else, so that it can still be sent.
 * Confined to one request.
 */
final class CapturedBody implements ClientHttpRequest {

	private final ClientRequest request;

	private final HttpHeaders headers = new HttpHeaders();

	private @Nullable ByteBuffer bytes;

	private boolean hasBody;

	CapturedBody(ClientRequest request) {
		this.request = request;
		this.headers.putAll(request.headers());
	}

	@Nullable ByteBuffer bytes() {
		return this.bytes;
	}

	boolean hasBody() {
		return this.hasBody;
	}

	/** Repeats what encoding the body has done to the headers of the request. */
	void writeHeaders(HttpHeaders output, int length) {
		HttpHeaders before = this.request.headers();
		this.headers.forEach((name, values) -> {
			if (!values.equals(before.get(name))) {
				output.put(name, values);
			}
		});
		output.setContentLength(length);
	}

	@Override
	public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
		this.hasBody = true;
		long length = this.headers.getContentLength();
		if (!LlmRequest.isJson(this.headers.getFirst(HttpHeaders.CONTENT_TYPE)) || length < 0
				|| length > LlmRequest.MOST_BYTES) {
			return Mono.empty();
		}
		Mono<? extends DataBuffer> whole = (body instanceof Mono<? extends DataBuffer> one) ? one
				: DataBufferUtils.join(body);
		return whole.doOnNext(this::keep).then();
	}

	@Override
	public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		this.hasBody = true;
		return Mono.empty();
	}

	@Override
	public Mono<Void> setComplete() {
		return Mono.empty();
	}

	/* The factory below made it: an array on the heap that is ours alone. */
	private void keep(DataBuffer buffer) {
		if (buffer instanceof DefaultDataBuffer heap) {
			this.bytes = heap.getNativeBuffer().slice();
			return;
		}
		byte[] copy = new byte[buffer.readableByteCount()];
		buffer.read(copy);
		DataBufferUtils.release(buffer);
		this.bytes = ByteBuffer.wrap(copy);
	}

	@Override
	public HttpHeaders getHeaders() {
		return this.headers;
	}

	@Override
	public DataBufferFactory bufferFactory() {
		return DefaultDataBufferFactory.sharedInstance;
	}

	@Override
	public HttpMethod getMethod() {
		return this.request.method();
	}

	@Override
	public URI getURI() {
		return this.request.url();
	}

	@Override
	public MultiValueMap<String, HttpCookie> getCookies() {
		return new LinkedMultiValueMap<>();
	}

	@Override
	public Map<String, Object> getAttributes() {
		return this.request.attributes();
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T> T getNativeRequest() {
		return (T) this;
	}

	@Override
	public void beforeCommit(Supplier<? extends Mono<Void>> action) {
	}

	@Override
	public boolean isCommitted() {
		return this.hasBody;
	}

}
