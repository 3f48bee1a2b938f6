package io.github.llmratelimit.sdk;

import java.io.InputStream;
import java.util.function.Function;

import io.github.llmratelimit.exchange.LlmRequest;
import io.github.llmratelimit.exchange.StreamTransport;
import io.github.llmratelimit.provider.ResponseHead;
import reactor.core.publisher.Mono;

/**
 * Sends a request of an SDK.
 *
 * @param <Q> type of the request
 * @param <R> type of the responses
 */
final class SdkTransport<Q, R> extends StreamTransport<R> {

	private final SdkTypes<Q, R> types;

	private final Q request;

	private final boolean repeatable;

	private final Function<Q, Mono<R>> client;

	SdkTransport(SdkTypes<Q, R> types, Q request, boolean repeatable, Function<Q, Mono<R>> client) {
		this.types = types;
		this.request = request;
		this.repeatable = repeatable;
		this.client = client;
	}

	@Override
	public Mono<R> send(LlmRequest request) {
		return this.client.apply(request.isChanged() ? this.types.with(this.request, request) : this.request);
	}

	@Override
	public boolean isRepeatable() {
		return this.repeatable;
	}

	@Override
	public ResponseHead head(R response) {
		return new ResponseHead(this.types.status(response), (name) -> this.types.header(response, name));
	}

	@Override
	protected InputStream body(R response) {
		return this.types.body(response);
	}

	@Override
	protected R with(R response, InputStream body) {
		return this.types.with(response, body);
	}

	@Override
	public R respond(int status, String contentType, byte[] body) {
		return this.types.respond(status, contentType, body);
	}

	@Override
	public R mark(R response, String name, String value) {
		return this.types.with(response, name, value);
	}

}
