package io.github.llmratelimit.sdk;

import com.anthropic.errors.AnthropicServiceException;
import io.github.llmratelimit.ThrownResponse;
import org.jspecify.annotations.Nullable;

/**
 * Finds the response in what {@code anthropic-java} throws. Thread-safe.
 */
public final class AnthropicResponseReader implements ThrownResponse.Reader {

	@Override
	public @Nullable ThrownResponse read(Throwable failure) {
		return (failure instanceof AnthropicServiceException thrown) ? read(thrown) : null;
	}

	private static ThrownResponse read(AnthropicServiceException thrown) {
		return new ThrownResponse(thrown.statusCode(),
				(name) -> thrown.headers().values(name).stream().findFirst().orElse(null),
				ThrownBody.bytes(thrown.body().convert(Object.class)));
	}

}
