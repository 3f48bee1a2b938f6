package io.github.llmratelimit.sdk;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;

import com.openai.core.http.Headers;
import com.openai.core.http.HttpRequest;
import com.openai.core.http.HttpRequestBody;
import com.openai.core.http.HttpResponse;
import com.openai.errors.OpenAIException;
import io.github.llmratelimit.exchange.LlmRequest;
import org.jspecify.annotations.Nullable;

/**
 * The types of {@code openai-java}.
 */
final class OpenAiTypes implements SdkTypes<HttpRequest, HttpResponse> {

	@Override
	public URI url(HttpRequest request) {
		return URI.create(request.url());
	}

	@Override
	public @Nullable String requestHeader(HttpRequest request, String name) {
		return first(request.headers(), name);
	}

	private static @Nullable String first(Headers headers, String name) {
		List<String> values = headers.values(name);
		return values.isEmpty() ? null : values.get(0);
	}

	@Override
	public @Nullable SdkBody requestBody(HttpRequest request) {
		HttpRequestBody body = request.body();
		return (body != null) ? new SdkBody(body.contentType(), body.contentLength(), body.repeatable(), body::writeTo)
				: null;
	}

	@Override
	public HttpRequest with(HttpRequest request, LlmRequest wanted) {
		ByteBuffer json = wanted.isRewritten() ? wanted.json() : null;
		HttpRequest.Builder changed = HttpRequest.builder()
			.method(request.method())
			.baseUrl(wanted.url().toString())
			.headers(headers(request.headers(), wanted));
		HttpRequestBody body = (json != null) ? new Body(json) : request.body();
		return (body != null) ? changed.body(body).build() : changed.build();
	}

	private static Headers headers(Headers headers, LlmRequest wanted) {
		Headers.Builder changed = headers.toBuilder();
		headers.names().stream().filter((name) -> !wanted.keeps(name)).forEach(changed::remove);
		wanted.headers().forEach(changed::replace);
		return changed.build();
	}

	@Override
	public int status(HttpResponse response) {
		return response.statusCode();
	}

	@Override
	public @Nullable String header(HttpResponse response, String name) {
		return first(response.headers(), name);
	}

	@Override
	public InputStream body(HttpResponse response) {
		return response.body();
	}

	@Override
	public HttpResponse with(HttpResponse response, InputStream body) {
		return new Response(response.statusCode(), response.headers(), body, response::close);
	}

	@Override
	public HttpResponse with(HttpResponse response, String name, String value) {
		return new Response(response.statusCode(), response.headers().toBuilder().replace(name, value).build(),
				response.body(), response::close);
	}

	@Override
	public HttpResponse respond(int status, String contentType, byte[] body) {
		return new Response(status, Headers.builder().put("content-type", contentType).build(),
				new ByteArrayInputStream(body), () -> {
				});
	}

	@Override
	public RuntimeException failure(String message, Throwable cause) {
		return new OpenAIException(message, cause);
	}

	private static final class Body extends JsonBody implements HttpRequestBody {

		Body(ByteBuffer json) {
			super(json);
		}

	}

	private static final class Response extends StreamedResponse<Headers> implements HttpResponse {

		Response(int status, Headers headers, InputStream body, Runnable close) {
			super(status, headers, body, close);
		}

	}

}
