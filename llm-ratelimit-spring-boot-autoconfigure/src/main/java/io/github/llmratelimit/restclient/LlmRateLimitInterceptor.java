package io.github.llmratelimit.restclient;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.Map;

import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.provider.Provider;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;
import org.springframework.web.client.RestTemplate;

/**
 * Lets requests to known providers wait their turn; requests to other hosts pass
 * untouched. Thread-safe; only the calling thread waits. Interceptors added after this
 * one run inside it, again for each attempt, so one that retries on its own should be
 * added before.
 * <p>
 * A client with any interceptor writes every body to memory before it is sent, whatever
 * host it goes to. A client that streams large uploads elsewhere takes a
 * {@linkplain #around request factory} instead.
 */
public final class LlmRateLimitInterceptor implements ClientHttpRequestInterceptor {

	private final LlmExchanges exchanges;

	/**
	 * Create an interceptor.
	 * @param exchanges sends requests within limits
	 */
	public LlmRateLimitInterceptor(LlmExchanges exchanges) {
		this.exchanges = exchanges;
	}

	/**
	 * A request factory with this interceptor for the requests to known providers, told
	 * by their URLs or by the scope around them. It is inside all interceptors of a
	 * client, and the bodies of other requests are not written to memory.
	 * @param factory creates the requests
	 * @return the factory to use in its place
	 */
	public ClientHttpRequestFactory around(ClientHttpRequestFactory factory) {
		return new LimitedRequestFactory(factory, this);
	}

	/**
	 * Let a template send its requests {@linkplain #around within} limits.
	 * @param template the template
	 */
	public void addTo(RestTemplate template) {
		ClientHttpRequestFactory factory = template.getRequestFactory();
		boolean wrapped = !template.getInterceptors().isEmpty()
				&& factory instanceof InterceptingClientHttpRequestFactory;
		template.setRequestFactory(
				around(wrapped ? ((InterceptingClientHttpRequestFactory) factory).getDelegate() : factory));
	}

	boolean isFor(URI url) {
		return limiting(url, Map.of()) != null;
	}

	private @Nullable Provider limiting(URI url, Map<String, Object> attributes) {
		return this.exchanges.limiting(url, LlmCallScope.around(attributes, Context.empty()));
	}

	/**
	 * Send a request within the limits of its provider, if it has one.
	 * @throws InterruptedIOException if the thread is interrupted while it waits
	 * @throws io.github.llmratelimit.LlmRateLimitException if the request is not admitted
	 * @throws IllegalStateException if the thread must not block
	 */
	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		Provider provider = limiting(request.getURI(), request.getAttributes());
		if (provider == null) {
			return execution.execute(request, body);
		}
		WrittenRequest written = new WrittenRequest(request, body);
		try {
			return this.exchanges.executeBlocking(provider, written.view(),
					(thread) -> new RestClientTransport(thread, written, execution));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw (IOException) new InterruptedIOException("interrupted while waiting").initCause(ex);
		}
	}

}
