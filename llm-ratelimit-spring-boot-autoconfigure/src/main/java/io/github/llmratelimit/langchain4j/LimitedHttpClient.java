package io.github.llmratelimit.langchain4j;

import java.net.URI;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.provider.Provider;
import org.jspecify.annotations.Nullable;

/**
 * A client whose requests wait their turn. Thread-safe if the client is that it uses.
 */
final class LimitedHttpClient implements HttpClient {

	private final LlmExchanges exchanges;

	private final HttpClient client;

	LimitedHttpClient(LlmExchanges exchanges, HttpClient client) {
		this.exchanges = exchanges;
		this.client = client;
	}

	@Override
	public SuccessfulHttpResponse execute(HttpRequest request) {
		LimitedCall call = limited(request);
		return (call != null) ? call.execute() : this.client.execute(request);
	}

	@Override
	public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
		LimitedCall call = limited(request);
		if (call != null) {
			call.stream(parser, listener);
		}
		else {
			this.client.execute(request, parser, listener);
		}
	}

	private @Nullable LimitedCall limited(HttpRequest request) {
		Provider provider = this.exchanges.limiting(URI.create(request.url()));
		return (provider != null) ? new LimitedCall(this.exchanges, this.client, provider, request) : null;
	}

}
