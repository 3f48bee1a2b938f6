package io.github.llmratelimit.webclient;

import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.provider.Provider;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * Lets requests to known providers wait their turn; requests to other hosts pass
 * untouched. Thread-safe; never blocks. Filters added after this one run inside it, so a
 * filter that retries on its own should be added before.
 */
public final class LlmRateLimitFilter implements ExchangeFilterFunction {

	private final LlmExchanges exchanges;

	private final ExchangeStrategies codecs;

	/**
	 * Create a filter that writes requests with the default codecs.
	 * @param exchanges sends requests within limits
	 */
	public LlmRateLimitFilter(LlmExchanges exchanges) {
		this(exchanges, new BuilderCodecs());
	}

	private LlmRateLimitFilter(LlmExchanges exchanges, ExchangeStrategies codecs) {
		this.exchanges = exchanges;
		this.codecs = codecs;
	}

	LlmRateLimitFilter with(ExchangeStrategies codecs) {
		return new LlmRateLimitFilter(this.exchanges, codecs);
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		Provider provider = this.exchanges.limiting(request.url(), request.attributes());
		if (provider == null) {
			return next.exchange(request);
		}
		return EncodedRequest.of(request, this.codecs)
			.flatMap((encoded) -> this.exchanges.execute(provider, encoded.view(),
					new WebClientTransport(encoded, this.codecs, next)));
	}

}
