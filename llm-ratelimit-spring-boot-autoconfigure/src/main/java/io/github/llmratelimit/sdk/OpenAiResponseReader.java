package io.github.llmratelimit.sdk;

import com.openai.errors.OpenAIServiceException;
import io.github.llmratelimit.ThrownResponse;
import org.jspecify.annotations.Nullable;

/**
 * Finds the response in what {@code openai-java} throws. Thread-safe.
 */
public final class OpenAiResponseReader implements ThrownResponse.Reader {

	@Override
	public @Nullable ThrownResponse read(Throwable failure) {
		return (failure instanceof OpenAIServiceException thrown) ? read(thrown) : null;
	}

	private static ThrownResponse read(OpenAIServiceException thrown) {
		return new ThrownResponse(thrown.statusCode(),
				(name) -> thrown.headers().values(name).stream().findFirst().orElse(null),
				ThrownBody.bytes(thrown.body().convert(Object.class)));
	}

}
