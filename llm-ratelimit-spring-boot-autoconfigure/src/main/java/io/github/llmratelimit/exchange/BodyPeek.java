package io.github.llmratelimit.exchange;

import java.io.ByteArrayOutputStream;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * Reads a body until enough of it is there, then stops asking, and passes on the rest
 * once somebody asks for it. The beginning is copied, so that no pooled memory is held by
 * a response that nobody reads.
 *
 * @param <R> type of the response
 * @param <B> type of the chunks of its body
 */
final class BodyPeek<R, B> extends BaseSubscriber<B> {

	private final PublisherTransport<R, B> transport;

	private final R response;

	private final int enough;

	private final MonoSink<PeekedResponse<R>> sink;

	private final ByteArrayOutputStream beginning = new ByteArrayOutputStream(1024);

	/* Holds an end that comes before anybody asks; elements come only when asked for. */
	private Sinks.@Nullable Many<B> rest;

	BodyPeek(PublisherTransport<R, B> transport, R response, int enough, MonoSink<PeekedResponse<R>> sink) {
		this.transport = transport;
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
	protected void hookOnNext(B chunk) {
		if (this.rest != null) {
			this.rest.tryEmitNext(chunk);
			return;
		}
		this.beginning.writeBytes(this.transport.take(chunk));
		if (this.beginning.size() < this.enough) {
			request(1);
			return;
		}
		Sinks.Many<B> rest = Sinks.many().unicast().onBackpressureBuffer();
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

	private void emit(Flux<B> rest, boolean complete) {
		byte[] bytes = this.beginning.toByteArray();
		Mono<B> first = (bytes.length == 0) ? Mono.empty() : Mono.fromSupplier(() -> this.transport.chunk(bytes));
		R whole = this.transport.map(this.response, (original) -> first.concatWith(rest).doOnCancel(this::cancel));
		this.sink.success(new PeekedResponse<>(whole, bytes, complete));
	}

}
