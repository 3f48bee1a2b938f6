package io.github.llmratelimit.langchain4j;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;

/**
 * Hears what comes back of one attempt, and keeps its events until somebody reads them:
 * it is not known before whether it is the last attempt. What comes later is read on the
 * thread of the client, as without limits. Confined to that thread.
 */
final class EventStream implements ServerSentEventListener {

	private final MonoSink<Reply> reply;

	private final Sinks.One<byte[]> beginning = Sinks.unsafe().one();

	private final Sinks.Many<StreamEvent> events = Sinks.unsafe().many().unicast().onBackpressureBuffer();

	private boolean open;

	EventStream(MonoSink<Reply> reply) {
		this.reply = reply;
	}

	@Override
	public void onOpen(SuccessfulHttpResponse response) {
		this.open = true;
		this.reply.success(Reply.of(response, this.beginning.asMono(), this.events.asFlux()));
	}

	@Override
	public void onEvent(ServerSentEvent event) {
		hear(new StreamEvent(event, null));
	}

	@Override
	public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
		hear(new StreamEvent(event, context));
	}

	private void hear(StreamEvent event) {
		this.events.tryEmitNext(event);
		this.beginning.tryEmitValue(event.bytes());
	}

	@Override
	public void onClose() {
		this.events.tryEmitComplete();
		this.beginning.tryEmitValue(new byte[0]);
	}

	@Override
	public void onError(Throwable failure) {
		if (this.open) {
			this.events.tryEmitError(failure);
			this.beginning.tryEmitError(failure);
		}
		else if (failure instanceof HttpException error) {
			this.reply.success(Reply.of(error));
		}
		else {
			this.reply.error(failure);
		}
	}

}
