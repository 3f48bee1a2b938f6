package io.github.llmratelimit.jdkclient;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.Map;

import io.github.llmratelimit.exchange.LlmRequest;
import org.jspecify.annotations.Nullable;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Mono;

/**
 * A request whose JSON has been read from its publisher, to be measured and sent again
 * for every attempt.
 *
 * @param request the request
 * @param json its body, {@code null} if that is not JSON of known, bounded length, which
 * is published as ever
 */
record ReadRequest(HttpRequest request, @Nullable ByteBuffer json) {

	static Mono<ReadRequest> of(HttpRequest request) {
		return request.bodyPublisher()
			.filter((body) -> isReadable(request, body))
			.map(ReadRequest::read)
			.orElseGet(Mono::empty)
			.map((json) -> new ReadRequest(request, json))
			.defaultIfEmpty(new ReadRequest(request, null));
	}

	private static boolean isReadable(HttpRequest request, BodyPublisher body) {
		return body.contentLength() > 0 && body.contentLength() <= LlmRequest.MOST_BYTES
				&& LlmRequest.isJson(request.headers().firstValue("Content-Type").orElse(null));
	}

	private static Mono<ByteBuffer> read(BodyPublisher body) {
		return JdkFlowAdapter.flowPublisherToFlux(body)
			.collect(ByteArrayOutputStream::new, ReadRequest::append)
			.map((bytes) -> ByteBuffer.wrap(bytes.toByteArray()));
	}

	private static void append(ByteArrayOutputStream all, ByteBuffer chunk) {
		byte[] bytes = new byte[chunk.remaining()];
		chunk.get(bytes);
		all.writeBytes(bytes);
	}

	/**
	 * The request as all clients know it.
	 * @return the request
	 */
	LlmRequest view() {
		boolean hasBody = this.request.bodyPublisher().filter((body) -> body.contentLength() != 0).isPresent();
		return LlmRequest.of(this.request.uri(), (name) -> this.request.headers().firstValue(name).orElse(null),
				this.json, hasBody, Map.of());
	}

	/**
	 * The request to send.
	 * @param wanted what is to be sent
	 * @return the request, which publishes what has been read
	 */
	HttpRequest toSend(LlmRequest wanted) {
		ByteBuffer json = wanted.json();
		if (json == null && !wanted.isChanged()) {
			return this.request;
		}
		HttpRequest.Builder toSend = HttpRequest.newBuilder(this.request, (name, value) -> wanted.keeps(name))
			.uri(wanted.url());
		wanted.headers().forEach(toSend::setHeader);
		if (json != null) {
			toSend.method(this.request.method(),
					BodyPublishers.ofByteArray(json.array(), json.arrayOffset() + json.position(), json.remaining()));
		}
		return toSend.build();
	}

}
