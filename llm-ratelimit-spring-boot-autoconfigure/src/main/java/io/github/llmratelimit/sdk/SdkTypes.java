package io.github.llmratelimit.sdk;

import java.io.InputStream;
import java.net.URI;

import io.github.llmratelimit.exchange.LlmRequest;
import org.jspecify.annotations.Nullable;

/**
 * The types of one SDK. Those of different SDKs are equal in shape, but not in name.
 *
 * @param <Q> type of the requests
 * @param <R> type of the responses
 */
interface SdkTypes<Q, R> {

	URI url(Q request);

	@Nullable String requestHeader(Q request, String name);

	@Nullable SdkBody requestBody(Q request);

	/**
	 * A request as it is to be sent.
	 * @param request the request as its client has written it
	 * @param wanted what is to be sent
	 * @return the changed request
	 */
	Q with(Q request, LlmRequest wanted);

	int status(R response);

	@Nullable String header(R response, String name);

	InputStream body(R response);

	R with(R response, InputStream body);

	R with(R response, String name, String value);

	R respond(int status, String contentType, byte[] body);

	/**
	 * An exception that callers of the SDK know, and that it does not retry.
	 * @param message what has happened
	 * @param cause why
	 * @return the exception
	 */
	RuntimeException failure(String message, Throwable cause);

}
