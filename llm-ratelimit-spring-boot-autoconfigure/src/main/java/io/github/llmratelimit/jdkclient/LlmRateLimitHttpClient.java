package io.github.llmratelimit.jdkclient;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Publisher;
import java.util.function.Function;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.provider.Provider;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Lets requests to known providers wait their turn; requests to other hosts, and
 * WebSockets, pass untouched. Thread-safe: {@code send} lets its caller wait, and
 * {@code sendAsync} no thread. A timeout of a request begins when it is sent, and again
 * for each attempt. Options of a call are those of the {@link LlmCallScope} around it.
 * <p>
 * A request that is not admitted fails with
 * {@link io.github.llmratelimit.LlmRateLimitException}, thrown by {@code send} as it is.
 */
public final class LlmRateLimitHttpClient extends HttpClient {

	private final HttpClient client;

	private final LlmExchanges exchanges;

	/**
	 * Create a client.
	 * @param client sends the requests
	 * @param exchanges sends them within limits
	 */
	public LlmRateLimitHttpClient(HttpClient client, LlmExchanges exchanges) {
		this.client = client;
		this.exchanges = exchanges;
	}

	@Override
	public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
			throws IOException, InterruptedException {
		Provider provider = limiting(request);
		if (provider == null) {
			return this.client.send(request, handler);
		}
		ReadRequest read = await(ReadRequest.of(request));
		PublishedResponse response = this.exchanges.executeBlocking(provider, read.view(),
				(thread) -> new HttpClientTransport(read,
						(toSend) -> thread.run(() -> this.client.send(toSend, BodyHandlers.ofPublisher()))));
		return await(response.handle(handler));
	}

	private static <T> T await(Mono<T> asked) throws IOException, InterruptedException {
		CompletableFuture<T> result = asked.toFuture();
		try {
			return result.get();
		}
		catch (InterruptedException ex) {
			result.cancel(true);
			throw ex;
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof IOException io) ? io : new IOException(ex.getCause());
		}
	}

	@Override
	public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
		Provider provider = limiting(request);
		return (provider != null)
				? sendAsync(provider, request, handler,
						(toSend) -> this.client.sendAsync(toSend, BodyHandlers.ofPublisher()))
				: this.client.sendAsync(request, handler);
	}

	@Override
	public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler,
			@Nullable PushPromiseHandler<T> pushes) {
		Provider provider = limiting(request);
		return (provider != null)
				? sendAsync(provider, request, handler,
						(toSend) -> this.client.sendAsync(toSend, BodyHandlers.ofPublisher(), published(pushes)))
				: this.client.sendAsync(request, handler, pushes);
	}

	private <T> CompletableFuture<HttpResponse<T>> sendAsync(Provider provider, HttpRequest request,
			BodyHandler<T> handler,
			Function<HttpRequest, CompletableFuture<HttpResponse<Publisher<List<ByteBuffer>>>>> client) {
		return ReadRequest.of(request)
			.flatMap((read) -> this.exchanges.execute(provider, read.view(),
					new HttpClientTransport(read, (toSend) -> Mono.fromFuture(() -> client.apply(toSend)))))
			.flatMap((response) -> response.handle(handler))
			.toFuture();
	}

	private static <T> @Nullable PushPromiseHandler<Publisher<List<ByteBuffer>>> published(
			@Nullable PushPromiseHandler<T> pushes) {
		return (pushes == null) ? null
				: (request, pushed, acceptor) -> pushes.applyPushPromise(request, pushed,
						(handler) -> acceptor.apply(BodyHandlers.ofPublisher())
							.thenCompose((response) -> PublishedResponse.of(response).handle(handler).toFuture()));
	}

	private @Nullable Provider limiting(HttpRequest request) {
		return this.exchanges.limiting(request.uri());
	}

	@Override
	public Optional<CookieHandler> cookieHandler() {
		return this.client.cookieHandler();
	}

	@Override
	public Optional<Duration> connectTimeout() {
		return this.client.connectTimeout();
	}

	@Override
	public Redirect followRedirects() {
		return this.client.followRedirects();
	}

	@Override
	public Optional<ProxySelector> proxy() {
		return this.client.proxy();
	}

	@Override
	public SSLContext sslContext() {
		return this.client.sslContext();
	}

	@Override
	public SSLParameters sslParameters() {
		return this.client.sslParameters();
	}

	@Override
	public Optional<Authenticator> authenticator() {
		return this.client.authenticator();
	}

	@Override
	public Version version() {
		return this.client.version();
	}

	@Override
	public Optional<Executor> executor() {
		return this.client.executor();
	}

	@Override
	public WebSocket.Builder newWebSocketBuilder() {
		return this.client.newWebSocketBuilder();
	}

}
