package io.github.llmratelimit.webclient;

import io.github.llmratelimit.exchange.BodyTap;
import io.github.llmratelimit.exchange.HttpTransport;
import io.github.llmratelimit.exchange.LlmRequest;
import io.github.llmratelimit.exchange.PeekedResponse;
import io.github.llmratelimit.provider.ResponseHead;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * Sends a request of a WebClient.
 */
final class WebClientTransport implements HttpTransport<ClientResponse> {

	private final EncodedRequest request;

	private final ExchangeStrategies codecs;

	private final ExchangeFunction next;

	WebClientTransport(EncodedRequest request, ExchangeStrategies codecs, ExchangeFunction next) {
		this.request = request;
		this.codecs = codecs;
		this.next = next;
	}

	@Override
	public Mono<ClientResponse> send(LlmRequest request) {
		return this.next.exchange(this.request.toSend(request));
	}

	@Override
	public ResponseHead head(ClientResponse response) {
		return new ResponseHead(response.statusCode().value(), response.headers().asHttpHeaders()::getFirst);
	}

	@Override
	public Mono<PeekedResponse<ClientResponse>> peek(ClientResponse response, int enough) {
		return Mono.create((sink) -> {
			BodyPeek peek = new BodyPeek(response, enough, sink);
			sink.onCancel(peek);
			response.bodyToFlux(DataBuffer.class).subscribe(peek);
		});
	}

	@Override
	public ClientResponse tap(ClientResponse response, BodyTap tap) {
		return response.mutate().body((body) -> new TappedBody(body, tap)).build();
	}

	@Override
	public ClientResponse respond(int status, String contentType, byte[] body) {
		return ClientResponse.create(HttpStatusCode.valueOf(status), this.codecs)
			.header(HttpHeaders.CONTENT_TYPE, contentType)
			.body(Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body))))
			.build();
	}

	@Override
	public ClientResponse mark(ClientResponse response, String name, String value) {
		return response.mutate().header(name, value).build();
	}

	@Override
	public Mono<Void> discard(ClientResponse response) {
		return response.releaseBody();
	}

}
