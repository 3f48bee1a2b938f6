package io.github.llmratelimit.restclient;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Objects;

import io.github.llmratelimit.exchange.LlmRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.support.HttpRequestWrapper;

/**
 * A request whose body has been written to memory.
 *
 * @param request the request
 * @param body its body, empty if it has none
 */
@SuppressWarnings("ArrayRecordComponent")
record WrittenRequest(HttpRequest request, byte[] body) {

	/**
	 * The request as all clients know it.
	 * @return the request
	 */
	LlmRequest view() {
		return LlmRequest.of(this.request.getURI(), this.request.getHeaders()::getFirst, json(), this.body.length > 0,
				this.request.getAttributes());
	}

	private @Nullable ByteBuffer json() {
		boolean readable = this.body.length > 0 && this.body.length <= LlmRequest.MOST_BYTES
				&& LlmRequest.isJson(this.request.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE));
		return readable ? ByteBuffer.wrap(this.body) : null;
	}

	/**
	 * The request to send.
	 * @param wanted what is to be sent
	 * @return the request with its body
	 */
	WrittenRequest toSend(LlmRequest wanted) {
		if (!wanted.isChanged()) {
			return this;
		}
		byte[] body = wanted.isRewritten() ? bytes(Objects.requireNonNull(wanted.json())) : this.body;
		HttpHeaders headers = new HttpHeaders();
		this.request.getHeaders().forEach((name, values) -> {
			if (wanted.keeps(name)) {
				headers.addAll(name, values);
			}
		});
		wanted.headers().forEach(headers::set);
		headers.setContentLength(body.length);
		return new WrittenRequest(new EditedRequest(this.request, wanted.url(), headers), body);
	}

	private static byte[] bytes(ByteBuffer buffer) {
		byte[] bytes = new byte[buffer.remaining()];
		buffer.get(bytes);
		return bytes;
	}

	private static final class EditedRequest extends HttpRequestWrapper {

		private final URI url;

		private final HttpHeaders headers;

		EditedRequest(HttpRequest request, URI url, HttpHeaders headers) {
			super(request);
			this.url = url;
			this.headers = headers;
		}

		@Override
		public URI getURI() {
			return this.url;
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

	}

}
