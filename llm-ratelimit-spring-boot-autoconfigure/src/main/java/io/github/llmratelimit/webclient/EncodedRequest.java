package io.github.llmratelimit.webclient;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.llmratelimit.exchange.LlmRequest;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.BodyInserter;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * A request whose JSON body has been encoded once, before it waits: the bytes are
 * measured, and written again for every attempt without encoding anew. Immutable. A body
 * that is not JSON of known length has not been touched, and is written as ever.
 */
final class EncodedRequest {

	private final ClientRequest request;

	private final CapturedBody captured;

	private EncodedRequest(ClientRequest request, CapturedBody captured) {
		this.request = request;
		this.captured = captured;
	}

	static Mono<EncodedRequest> of(ClientRequest request, ExchangeStrategies codecs) {
		return Mono.defer(() -> {
			CapturedBody captured = new CapturedBody(request);
			return request.body()
				.insert(captured, new CodecContext(codecs.messageWriters()))
				.thenReturn(new EncodedRequest(request, captured));
		});
	}

	/**
	 * The request as all clients know it.
	 * @return the request
	 */
	LlmRequest view() {
		return LlmRequest.of(this.request.url(), this.request.headers()::getFirst, this.captured.bytes(),
				this.captured.hasBody(), this.request.attributes());
	}

	/**
	 * The request to send.
	 * @param wanted what is to be sent
	 * @return a request that writes the encoded bytes
	 */
	ClientRequest toSend(LlmRequest wanted) {
		ByteBuffer bytes = wanted.json();
		if (bytes == null && !wanted.isChanged()) {
			return this.request;
		}
		ClientRequest.Builder toSend = ClientRequest.from(this.request);
		if (wanted.isChanged()) {
			toSend.url(wanted.url()).headers((headers) -> edit(headers, wanted));
		}
		if (wanted.isMoved()) {
			toSend.cookies(MultiValueMap::clear);
		}
		if (bytes != null) {
			toSend.body((output, context) -> write(output, bytes));
		}
		return toSend.build();
	}

	private static void edit(HttpHeaders headers, LlmRequest wanted) {
		headers.headerNames().stream().filter((name) -> !wanted.keeps(name)).toList().forEach(headers::remove);
		wanted.headers().forEach(headers::set);
	}

	private Mono<Void> write(ClientHttpRequest output, ByteBuffer bytes) {
		this.captured.writeHeaders(output.getHeaders(), bytes.remaining());
		return output.writeWith(Mono.fromSupplier(() -> output.bufferFactory().wrap(bytes.duplicate())));
	}

	private record CodecContext(List<HttpMessageWriter<?>> messageWriters) implements BodyInserter.Context {

		@Override
		public Optional<ServerHttpRequest> serverRequest() {
			return Optional.empty();
		}

		@Override
		public Map<String, Object> hints() {
			return Map.of();
		}

	}

}
