package io.github.llmratelimit.restclient;

import io.github.llmratelimit.ThrownResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.client.RestClientResponseException;

/**
 * Finds the responses in the exceptions of a {@code RestClient} or a
 * {@code RestTemplate}. Thread-safe.
 */
public final class RestClientResponseReader implements ThrownResponse.Reader {

	@Override
	public @Nullable ThrownResponse read(Throwable failure) {
		return (failure instanceof RestClientResponseException thrown) ? read(thrown) : null;
	}

	private static ThrownResponse read(RestClientResponseException thrown) {
		HttpHeaders headers = thrown.getResponseHeaders();
		return new ThrownResponse(thrown.getStatusCode().value(),
				(name) -> (headers != null) ? headers.getFirst(name) : null, thrown.getResponseBodyAsByteArray());
	}

}
