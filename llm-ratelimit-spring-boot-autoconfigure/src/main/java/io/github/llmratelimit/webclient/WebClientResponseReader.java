package io.github.llmratelimit.webclient;

import io.github.llmratelimit.ThrownResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.reactive.function.client.WebClientResponseException;

/**
 * Finds the responses in the exceptions of a {@code WebClient}. Thread-safe.
 */
public final class WebClientResponseReader implements ThrownResponse.Reader {

	@Override
	public @Nullable ThrownResponse read(Throwable failure) {
		return (failure instanceof WebClientResponseException thrown)
				? new ThrownResponse(thrown.getStatusCode().value(), thrown.getHeaders()::getFirst,
						thrown.getResponseBodyAsByteArray())
				: null;
	}

}
