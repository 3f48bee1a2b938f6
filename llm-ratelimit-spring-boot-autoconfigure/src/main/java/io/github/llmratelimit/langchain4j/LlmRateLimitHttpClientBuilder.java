package io.github.llmratelimit.langchain4j;

import java.time.Duration;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import io.github.llmratelimit.exchange.LlmExchanges;

/**
 * Builds clients of LangChain4j that let requests to known providers wait their turn;
 * requests to other hosts pass untouched. The builder is not thread-safe, its clients
 * are: a call parks no thread but the one that calls it, and a stream none.
 * <p>
 * A call that is refused for good ends with a
 * {@link dev.langchain4j.exception.NonRetriableException} that has a
 * {@link io.github.llmratelimit.LlmRateLimitException} as its cause, so that LangChain4j
 * does not send it again: its retries would come on top of ours.
 */
public final class LlmRateLimitHttpClientBuilder implements HttpClientBuilder {

	private final LlmExchanges exchanges;

	private final HttpClientBuilder delegate;

	/**
	 * Create a builder.
	 * @param exchanges sends requests within limits
	 * @param delegate builds the clients that send them
	 */
	public LlmRateLimitHttpClientBuilder(LlmExchanges exchanges, HttpClientBuilder delegate) {
		this.exchanges = exchanges;
		this.delegate = delegate;
	}

	@Override
	public Duration connectTimeout() {
		return this.delegate.connectTimeout();
	}

	@Override
	public HttpClientBuilder connectTimeout(Duration timeout) {
		this.delegate.connectTimeout(timeout);
		return this;
	}

	@Override
	public Duration readTimeout() {
		return this.delegate.readTimeout();
	}

	@Override
	public HttpClientBuilder readTimeout(Duration timeout) {
		this.delegate.readTimeout(timeout);
		return this;
	}

	@Override
	public HttpClient build() {
		return new LimitedHttpClient(this.exchanges, this.delegate.build());
	}

}
