package io.github.llmratelimit.sdk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.exchange.LlmRequest;
import io.github.llmratelimit.provider.Provider;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Sends the requests of one SDK within limits. Thread-safe.
 *
 * @param <Q> type of the requests
 * @param <R> type of the responses
 */
final class SdkExchanges<Q, R> {

	private final SdkTypes<Q, R> types;

	private final LlmExchanges exchanges;

	SdkExchanges(SdkTypes<Q, R> types, LlmExchanges exchanges) {
		this.types = types;
		this.exchanges = exchanges;
	}

	R execute(Q request, Function<Q, R> client) {
		Provider provider = provider(request);
		if (provider == null) {
			return client.apply(request);
		}
		SdkBody body = this.types.requestBody(request);
		try {
			return last(provider, this.exchanges.executeBlocking(provider, view(request, body),
					(thread) -> transport(request, body, (toSend) -> thread.run(() -> client.apply(toSend)))));
		}
		catch (IOException ex) {
			throw this.types.failure("The response could not be read", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw this.types.failure("Interrupted while waiting for the response", ex);
		}
	}

	CompletableFuture<R> executeAsync(Q request, Function<Q, CompletableFuture<R>> client) {
		Provider provider = provider(request);
		if (provider == null) {
			return client.apply(request);
		}
		SdkBody body = this.types.requestBody(request);
		return this.exchanges
			.execute(provider, view(request, body),
					transport(request, body, (toSend) -> Mono.fromFuture(() -> client.apply(toSend))))
			.map((response) -> last(provider, response))
			.onErrorMap(IOException.class, (ex) -> this.types.failure("The response could not be read", ex))
			.toFuture();
	}

	private @Nullable Provider provider(Q request) {
		return this.exchanges.limiting(this.types.url(request));
	}

	private LlmRequest view(Q request, @Nullable SdkBody body) {
		ByteBuffer json = (body != null) ? body.json() : null;
		return LlmRequest.of(this.types.url(request), (name) -> this.types.requestHeader(request, name), json,
				body != null, Map.of());
	}

	private SdkTransport<Q, R> transport(Q request, @Nullable SdkBody body, Function<Q, Mono<R>> client) {
		return new SdkTransport<>(this.types, request, body == null || body.repeatable(), client);
	}

	/* What was worth sending again has been. */
	private R last(Provider provider, R response) {
		return (this.types.status(response) >= 400 && this.exchanges.isRetrying(provider))
				? this.types.with(response, "x-should-retry", "false") : response;
	}

}
