package io.github.llmratelimit.langchain4j;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.llmratelimit.exchange.BodyTap;
import io.github.llmratelimit.exchange.HttpTransport;
import io.github.llmratelimit.exchange.LlmRequest;
import io.github.llmratelimit.exchange.PeekedResponse;
import io.github.llmratelimit.provider.ResponseHead;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sends a request of LangChain4j.
 */
final class LangChainTransport implements HttpTransport<Reply> {

	private final Function<LlmRequest, Mono<Reply>> client;

	/**
	 * Create a transport.
	 * @param client sends a request once
	 */
	LangChainTransport(Function<LlmRequest, Mono<Reply>> client) {
		this.client = client;
	}

	@Override
	public Mono<Reply> send(LlmRequest request) {
		return this.client.apply(request);
	}

	@Override
	public ResponseHead head(Reply reply) {
		return reply.head();
	}

	/* Of a stream the first event, which tells all: an error is one event. */
	@Override
	public Mono<PeekedResponse<Reply>> peek(Reply reply, int enough) {
		return reply.beginning().map((bytes) -> new PeekedResponse<>(reply, bytes, true));
	}

	@Override
	public Reply tap(Reply reply, BodyTap tap) {
		Flux<StreamEvent> events = reply.events();
		if (events != null) {
			return reply.with(tapped(events, tap));
		}
		tap.begin();
		tap.read(ByteBuffer.wrap(reply.body()));
		tap.complete();
		return reply;
	}

	private static Flux<StreamEvent> tapped(Flux<StreamEvent> events, BodyTap tap) {
		return events.doOnSubscribe((subscription) -> tap.begin())
			.doOnNext((event) -> tap.read(ByteBuffer.wrap(event.bytes())))
			.doOnComplete(tap::complete)
			.doOnError((failure) -> tap.fail())
			.doOnCancel(tap::cancel);
	}

	@Override
	public Reply respond(int status, String contentType, byte[] body) {
		return Reply.of(status, Map.of("Content-Type", List.of(contentType)), body);
	}

	@Override
	public Reply mark(Reply reply, String name, String value) {
		return reply.with(name, value);
	}

	@Override
	public Mono<Void> discard(Reply reply) {
		return Mono.empty();
	}

}
