package io.github.llmratelimit.restclient;

import java.io.IOException;
import java.net.URI;
import java.util.List;

import org.springframework.http.HttpMethod;
import org.springframework.http.client.AbstractClientHttpRequestFactoryWrapper;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;

/**
 * Intercepts the requests to known providers, and no others, so that their bodies are
 * written to the connection. Thread-safe.
 */
final class LimitedRequestFactory extends AbstractClientHttpRequestFactoryWrapper {

	private final LlmRateLimitInterceptor interceptor;

	private final ClientHttpRequestFactory intercepting;

	LimitedRequestFactory(ClientHttpRequestFactory factory, LlmRateLimitInterceptor interceptor) {
		super(factory);
		this.interceptor = interceptor;
		this.intercepting = new InterceptingClientHttpRequestFactory(factory, List.of(interceptor));
	}

	@Override
	protected ClientHttpRequest createRequest(URI url, HttpMethod method, ClientHttpRequestFactory factory)
			throws IOException {
		return (this.interceptor.isFor(url) ? this.intercepting : factory).createRequest(url, method);
	}

}
