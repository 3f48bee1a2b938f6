package io.github.llmratelimit.webclient;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.llmratelimit.token.RequestFacts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.function.BodyInserter;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * A request whose JSON body has been encoded once, before it waits: the bytes are
 * measured, and written again for every attempt without encoding anew. Immutable. A body
 * that is not JSON of known length has not been touched, and is written as ever.
 */
final class EncodedRequest {

	private static final byte[] STREAM_USAGE = ",\"stream_options\":{\"include_usage\":true}"
		.getBytes(StandardCharsets.US_ASCII);

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

	URI url() {
		return this.request.url();
	}

	HttpHeaders headers() {
		return this.request.headers();
	}

	Map<String, Object> attributes() {
		return this.request.attributes();
	}

	/**
	 * The JSON of its body.
	 * @return the text, {@code null} if there is none or it cannot be read
	 */
	@Nullable String text() {
		ByteBuffer bytes = this.captured.bytes();
		return (bytes != null) ? StandardCharsets.UTF_8.decode(bytes.duplicate()).toString() : null;
	}

	/**
	 * The same request to another model.
	 * @return a request whose JSON names it
	 * @throws IllegalStateException if the body names none
	 */
	EncodedRequest withModel(String model) {
		return new EncodedRequest(this.request, this.captured.with(facts().withModel(model)));
	}

	/**
	 * The same request that also asks for the usage of the stream it wants.
	 * @return a request whose JSON object has one more key
	 */
	EncodedRequest withStreamUsage() {
		ByteBuffer bytes = this.captured.bytes();
		return (bytes != null) ? new EncodedRequest(this.request, this.captured.with(insert(bytes, STREAM_USAGE)))
				: this;
	}

	/* Before the last brace; the object has a key already, which says that it streams. */
	private static ByteBuffer insert(ByteBuffer json, byte[] key) {
		int end = json.limit();
		while (json.get(end - 1) != '}') {
			end--;
		}
		return ByteBuffer.allocate(json.remaining() + key.length)
			.put(json.slice(json.position(), end - 1 - json.position()))
			.put(key)
			.put(json.slice(end - 1, json.limit() - end + 1))
			.flip();
	}

	boolean hasBody() {
		return this.captured.hasBody();
	}

	RequestFacts facts() {
		ByteBuffer bytes = this.captured.bytes();
		return (bytes != null) ? RequestFacts.scan(bytes.array(), bytes.arrayOffset(), bytes.remaining())
				: RequestFacts.UNREADABLE;
	}

	/**
	 * The request to send.
	 * @return a request that writes the encoded bytes
	 */
	ClientRequest toSend() {
		ByteBuffer bytes = this.captured.bytes();
		if (bytes == null) {
			return this.request;
		}
		return ClientRequest.from(this.request).body((output, context) -> write(output, bytes)).build();
	}

	private Mono<Void> write(ClientHttpRequest output, ByteBuffer bytes) {
		this.captured.writeHeaders(output.getHeaders());
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
