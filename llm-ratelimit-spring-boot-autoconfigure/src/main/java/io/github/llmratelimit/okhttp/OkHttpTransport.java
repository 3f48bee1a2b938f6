package io.github.llmratelimit.okhttp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;

import io.github.llmratelimit.exchange.LlmRequest;
import io.github.llmratelimit.exchange.StreamTransport;
import io.github.llmratelimit.provider.ResponseHead;
import io.github.llmratelimit.time.WaitingThread;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.Okio;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Sends a request of an OkHttp client, on the thread on which its interceptors run.
 */
final class OkHttpTransport extends StreamTransport<Response> {

	private final Interceptor.Chain chain;

	private final WaitingThread thread;

	OkHttpTransport(Interceptor.Chain chain, WaitingThread thread) {
		this.chain = chain;
		this.thread = thread;
	}

	/**
	 * A request as all clients know it.
	 * @param request a request
	 * @param attributes its options, by name
	 * @return the request
	 * @throws IOException if its body cannot be written
	 */
	static LlmRequest view(Request request, Map<String, Object> attributes) throws IOException {
		RequestBody body = request.body();
		return LlmRequest.of(request.url().uri(), request::header, json(body), body != null, attributes);
	}

	private static @Nullable ByteBuffer json(@Nullable RequestBody body) throws IOException {
		if (body == null || !isRepeatable(body) || !LlmRequest.isJson(String.valueOf(body.contentType()))
				|| body.contentLength() < 0 || body.contentLength() > LlmRequest.MOST_BYTES) {
			return null;
		}
		Buffer bytes = new Buffer();
		body.writeTo(bytes);
		return ByteBuffer.wrap(bytes.readByteArray());
	}

	private static boolean isRepeatable(RequestBody body) {
		return !body.isOneShot() && !body.isDuplex();
	}

	@Override
	public Mono<Response> send(LlmRequest request) {
		return this.thread.run(() -> this.chain.proceed(toSend(request)));
	}

	private Request toSend(LlmRequest wanted) {
		Request request = this.chain.request();
		if (!wanted.isChanged()) {
			return request;
		}
		ByteBuffer json = wanted.isRewritten() ? wanted.json() : null;
		RequestBody body = (json != null) ? written(json, request.body()) : request.body();
		return request.newBuilder()
			.url(Objects.requireNonNull(HttpUrl.get(wanted.url())))
			.headers(headers(request.headers(), wanted))
			.method(request.method(), body)
			.build();
	}

	private static RequestBody written(ByteBuffer json, @Nullable RequestBody original) {
		MediaType type = (original != null) ? original.contentType() : null;
		return RequestBody.create(json.array(), type, json.arrayOffset() + json.position(), json.remaining());
	}

	private static Headers headers(Headers headers, LlmRequest wanted) {
		Headers.Builder changed = headers.newBuilder();
		headers.names().stream().filter((name) -> !wanted.keeps(name)).forEach(changed::removeAll);
		wanted.headers().forEach(changed::set);
		return changed.build();
	}

	@Override
	public boolean isRepeatable() {
		RequestBody body = this.chain.request().body();
		return body == null || isRepeatable(body);
	}

	@Override
	public ResponseHead head(Response response) {
		return new ResponseHead(response.code(), response::header);
	}

	@Override
	protected InputStream body(Response response) {
		return bodyOf(response).byteStream();
	}

	@Override
	protected Response with(Response response, InputStream body) {
		ResponseBody original = bodyOf(response);
		return response.newBuilder()
			.body(ResponseBody.create(Okio.buffer(Okio.source(body)), original.contentType(), original.contentLength()))
			.build();
	}

	private static ResponseBody bodyOf(Response response) {
		return Objects.requireNonNull(response.body());
	}

	@Override
	public Response respond(int status, String contentType, byte[] body) {
		return response(this.chain.request(), status, "OK", contentType, body);
	}

	/**
	 * A response that nobody has sent.
	 * @param request its request
	 * @param status its HTTP status
	 * @param message what the status means
	 * @param contentType its content type
	 * @param body its body
	 * @return the response
	 */
	static Response response(Request request, int status, String message, String contentType, byte[] body) {
		return new Response.Builder().request(request)
			.protocol(Protocol.HTTP_1_1)
			.code(status)
			.message(message)
			.header("content-type", contentType)
			.body(ResponseBody.create(body, MediaType.parse(contentType)))
			.build();
	}

	@Override
	public Response mark(Response response, String name, String value) {
		return response.newBuilder().header(name, value).build();
	}

}
