package io.github.llmratelimit.jdkclient;

import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow.Publisher;

import javax.net.ssl.SSLSession;

import org.jspecify.annotations.Nullable;

/**
 * A response whose body a handler has read.
 *
 * @param <T> type of what the handler has made of it
 * @param response the response
 * @param body what the handler has made of its body
 */
record HandledResponse<T extends @Nullable Object>(PublishedResponse response, T body) implements HttpResponse<T> {

	private Optional<HttpResponse<Publisher<List<ByteBuffer>>>> origin() {
		return Optional.ofNullable(this.response.origin());
	}

	@Override
	public int statusCode() {
		return this.response.statusCode();
	}

	@Override
	public HttpRequest request() {
		return this.response.request();
	}

	/* Nobody has read the bodies of responses that sent the client elsewhere. */
	@Override
	@SuppressWarnings("NullAway")
	public Optional<HttpResponse<T>> previousResponse() {
		return origin().flatMap(HttpResponse::previousResponse)
			.map((previous) -> new HandledResponse<>(PublishedResponse.of(previous), null));
	}

	@Override
	public HttpHeaders headers() {
		return this.response.headers();
	}

	@Override
	public Optional<SSLSession> sslSession() {
		return origin().flatMap(HttpResponse::sslSession);
	}

	@Override
	public URI uri() {
		return origin().map(HttpResponse::uri).orElseGet(() -> request().uri());
	}

	@Override
	public Version version() {
		return this.response.version();
	}

}
