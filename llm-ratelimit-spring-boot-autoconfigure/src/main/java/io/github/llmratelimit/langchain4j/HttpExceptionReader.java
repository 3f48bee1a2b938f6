package io.github.llmratelimit.langchain4j;

import java.nio.charset.StandardCharsets;

import dev.langchain4j.exception.HttpException;
import io.github.llmratelimit.ThrownResponse;
import org.jspecify.annotations.Nullable;

/**
 * Finds the response in what LangChain4j throws, which keeps status and body.
 * Thread-safe.
 */
public final class HttpExceptionReader implements ThrownResponse.Reader {

	@Override
	public @Nullable ThrownResponse read(Throwable failure) {
		return (failure instanceof HttpException thrown) ? read(thrown) : null;
	}

	private static ThrownResponse read(HttpException thrown) {
		String body = thrown.getMessage();
		return new ThrownResponse(thrown.statusCode(), (name) -> null,
				((body != null) ? body : "").getBytes(StandardCharsets.UTF_8));
	}

}
