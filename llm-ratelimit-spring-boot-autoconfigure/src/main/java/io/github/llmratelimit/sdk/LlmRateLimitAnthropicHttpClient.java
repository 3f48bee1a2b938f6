package io.github.llmratelimit.sdk;

import java.util.concurrent.CompletableFuture;

import com.anthropic.core.RequestOptions;
import com.anthropic.core.http.HttpClient;
import com.anthropic.core.http.HttpRequest;
import com.anthropic.core.http.HttpResponse;
import io.github.llmratelimit.exchange.LlmExchanges;

/**
 * An HTTP client of {@code anthropic-java} that lets requests to known providers wait
 * their turn; requests to other hosts pass untouched. Thread-safe. {@code execute} parks
 * the calling thread only, {@code executeAsync} none. Waiting is not limited by the
 * timeouts of the SDK, which begin when a request is sent.
 * <p>
 * A call that is not admitted fails with a
 * {@link io.github.llmratelimit.LlmRateLimitException}, which the SDK hands on as it is.
 * Refused calls are sent again here, and the SDK is told by {@code x-should-retry: false}
 * not to send them once more; set its {@code maxRetries} to 0 so that it does not repeat
 * lost connections either.
 */
public final class LlmRateLimitAnthropicHttpClient implements HttpClient {

	private final HttpClient client;

	private final SdkExchanges<HttpRequest, HttpResponse> exchanges;

	/**
	 * Create a client.
	 * @param client sends the requests
	 * @param exchanges sends requests within limits
	 */
	public LlmRateLimitAnthropicHttpClient(HttpClient client, LlmExchanges exchanges) {
		this.client = client;
		this.exchanges = new SdkExchanges<>(new AnthropicTypes(), exchanges);
	}

	@Override
	public HttpResponse execute(HttpRequest request, RequestOptions options) {
		return this.exchanges.execute(request, (toSend) -> this.client.execute(toSend, options));
	}

	@Override
	public CompletableFuture<HttpResponse> executeAsync(HttpRequest request, RequestOptions options) {
		return this.exchanges.executeAsync(request, (toSend) -> this.client.executeAsync(toSend, options));
	}

	@Override
	public void close() {
		this.client.close();
	}

}
