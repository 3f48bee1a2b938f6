package io.github.llmratelimit.langchain4j;

import java.io.ByteArrayInputStream;
import java.io.IOException;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.exception.NonRetriableException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.exchange.LlmRequest;
import io.github.llmratelimit.provider.Provider;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static dev.langchain4j.http.client.sse.ServerSentEventListenerUtils.ignoringExceptions;

/**
 * One request to a provider whose limits apply. Used once.
 */
final class LimitedCall {

	private final LlmExchanges exchanges;

	private final HttpClient client;

	private final Provider provider;

	private final HttpRequest request;

	/* Attempts come one after another, but not on the same thread. */
	private volatile int sent;

	LimitedCall(LlmExchanges exchanges, HttpClient client, Provider provider, HttpRequest request) {
		this.exchanges = exchanges;
		this.client = client;
		this.provider = provider;
		this.request = request;
	}

	SuccessfulHttpResponse execute() {
		try {
			Reply reply = this.exchanges.executeBlocking(this.provider, Requests.view(this.request),
					(thread) -> new LangChainTransport((wanted) -> thread.run(() -> send(wanted))));
			if (!reply.head().isSuccessful()) {
				throw error(reply);
			}
			return reply.toResponse();
		}
		catch (LlmRateLimitException ex) {
			throw refused(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new NonRetriableException(ex);
		}
		catch (IOException ex) {
			throw new LangChain4jException(ex);
		}
	}

	private Reply send(LlmRequest wanted) {
		this.sent++;
		try {
			return Reply.of(this.client.execute(Requests.toSend(this.request, wanted)));
		}
		catch (HttpException ex) {
			return Reply.of(ex);
		}
	}

	void stream(ServerSentEventParser parser, ServerSentEventListener listener) {
		this.exchanges
			.execute(this.provider, Requests.view(this.request),
					new LangChainTransport((wanted) -> send(wanted, parser)))
			.subscribe((reply) -> tell(reply, parser, listener), (failure) -> tell(failure, listener));
	}

	private Mono<Reply> send(LlmRequest wanted, ServerSentEventParser parser) {
		return Mono.create((sink) -> {
			this.sent++;
			this.client.execute(Requests.toSend(this.request, wanted), parser, new EventStream(sink));
		});
	}

	private void tell(Throwable failure, ServerSentEventListener listener) {
		ignoringExceptions(() -> listener
			.onError((failure instanceof LlmRateLimitException refusal) ? refused(refusal) : failure));
	}

	private void tell(Reply reply, ServerSentEventParser parser, ServerSentEventListener listener) {
		if (!reply.head().isSuccessful()) {
			tell(error(reply), listener);
			return;
		}
		ignoringExceptions(() -> listener.onOpen(reply.toResponse()));
		Flux<StreamEvent> events = reply.events();
		if (events == null) {
			parser.parse(new ByteArrayInputStream(reply.body()), listener);
			ignoringExceptions(listener::onClose);
			return;
		}
		events.doOnNext((event) -> ignoringExceptions(() -> event.tell(listener)))
			.takeUntil(StreamEvent::isLast)
			.subscribe((event) -> {
			}, (failure) -> tell(failure, listener), () -> ignoringExceptions(listener::onClose));
	}

	private static NonRetriableException refused(LlmRateLimitException refusal) {
		return new NonRetriableException(refusal.getMessage(), refusal);
	}

	/*
	 * What has been sent again was refused as often as it may be sent; LangChain4j would
	 * begin anew.
	 */
	private RuntimeException error(Reply reply) {
		HttpException error = reply.toError();
		if (this.sent < 2) {
			return error;
		}
		return refused(new LlmRateLimitException(
				Reason.RETRIES_EXHAUSTED, this.provider.name(), "Status " + error.statusCode() + " of "
						+ this.provider.name() + " after " + this.sent + " attempts: " + error.getMessage(),
				null, this.sent));
	}

}
