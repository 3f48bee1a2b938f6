package io.github.llmratelimit.webclient;

import java.io.ByteArrayOutputStream;

import io.github.llmratelimit.exchange.PeekedResponse;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.web.reactive.function.client.ClientResponse;

/**
 * Reads a body until enough of it is there, then stops asking, and passes on the rest
 * once somebody asks for it. The beginning is copied, so that no pooled memory is held by
 * a response that nobody reads.
 */
final class BodyPeek extends BaseSubscriber<DataBuffer> {

	private final ClientResponse response;

	private final int enough;

	private final MonoSink<PeekedResponse<ClientResponse>> sink;

	private final ByteArrayOutputStream beginning = new ByteArrayOutputStream(1024);

	/* Holds an end that comes before anybody asks; elements come only when asked for. */
	private Sinks.@Nullable Many<DataBuffer> rest;

	BodyPeek(ClientResponse response, int enough, MonoSink<PeekedResponse<ClientResponse>> sink) {
		this.response = response;
		this.enough = enough;
		this.sink = sink;
	}

	@Override
	public Context currentContext() {
		return Context.of(this.sink.contextView());
	}

	@Override
	protected void hookOnSubscribe(Subscription subscription) {
		subscription.request(1);
	}

	@Override
	protected void hookOnNext(DataBuffer buffer) {
		if (this.rest != null) {
			this.rest.tryEmitNext(buffer);
			return;
		}
		copy(buffer);
		if (this.beginning.size() < this.enough) {
			request(1);
			return;
		}
		Sinks.Many<DataBuffer> rest = Sinks.many().unicast().onBackpressureBuffer();
		this.rest = rest;
		emit(rest.asFlux().doOnRequest(this::request), false);
	}

	@Override
	protected void hookOnComplete() {
		if (this.rest != null) {
			this.rest.tryEmitComplete();
		}
		else {
			emit(Flux.empty(), true);
		}
	}

	@Override
	protected void hookOnError(Throwable failure) {
		if (this.rest != null) {
			this.rest.tryEmitError(failure);
		}
		else if (this.beginning.size() == 0) {
			this.sink.error(failure);
		}
		else {
			emit(Flux.error(failure), false);
		}
	}

	private void copy(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		this.beginning.writeBytes(bytes);
	}

	private void emit(Flux<DataBuffer> rest, boolean complete) {
		byte[] bytes = this.beginning.toByteArray();
		Mono<DataBuffer> first = (bytes.length == 0) ? Mono.empty()
				: Mono.fromSupplier(() -> DefaultDataBufferFactory.sharedInstance.wrap(bytes));
		ClientResponse whole = this.response.mutate()
			.body((original) -> first.concatWith(rest).doOnCancel(this::cancel))
			.build();
		this.sink.success(new PeekedResponse<>(whole, bytes, complete));
	}

}
