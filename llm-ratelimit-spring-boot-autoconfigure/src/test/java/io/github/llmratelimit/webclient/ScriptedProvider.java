package io.github.llmratelimit.webclient;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.mock.http.client.reactive.MockClientHttpRequest;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * A provider that answers what it is told, in order, and remembers what it was sent.
 */
final class ScriptedProvider implements ExchangeFunction {

	private final Queue<Supplier<Mono<ClientResponse>>> answers = new ArrayDeque<>();

	final List<Sent> sent = new ArrayList<>();

	ScriptedProvider answer(int status, String body, String... headers) {
		return answer(status, Flux.just(buffer(body)), headers);
	}

	ScriptedProvider answer(int status, Flux<DataBuffer> body, String... headers) {
		this.answers.add(() -> Mono.just(ClientResponse.create(HttpStatusCode.valueOf(status))
			.headers((all) -> setAll(all, headers))
			.body(body)
			.build()));
		return this;
	}

	ScriptedProvider fail(Throwable failure) {
		this.answers.add(() -> Mono.error(failure));
		return this;
	}

	ScriptedProvider neverAnswer() {
		this.answers.add(Mono::never);
		return this;
	}

	@Override
	public Mono<ClientResponse> exchange(ClientRequest request) {
		MockClientHttpRequest wire = new MockClientHttpRequest(request.method(), request.url());
		return request.writeTo(wire, ExchangeStrategies.withDefaults())
			.then(Mono.defer(wire::getBodyAsString).onErrorResume(IllegalStateException.class, (none) -> Mono.empty()))
			.defaultIfEmpty("")
			.doOnNext((body) -> this.sent.add(new Sent(wire.getHeaders(), body)))
			.then(Mono.defer(() -> this.answers.remove().get()));
	}

	static DataBuffer buffer(String text) {
		return DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
	}

	private static void setAll(HttpHeaders headers, String... namesAndValues) {
		for (int i = 0; i < namesAndValues.length; i += 2) {
			headers.set(namesAndValues[i], namesAndValues[i + 1]);
		}
	}

	record Sent(HttpHeaders headers, String body) {

	}

}
