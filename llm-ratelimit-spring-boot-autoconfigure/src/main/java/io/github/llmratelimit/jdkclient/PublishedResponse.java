package io.github.llmratelimit.jdkclient;

import java.net.http.HttpClient.Version;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Flow.Publisher;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A response whose body has not been read yet.
 *
 * @param request what it answers
 * @param statusCode its status
 * @param headers its headers
 * @param version of the protocol by which it came
 * @param body its body, which can be subscribed to once
 * @param origin the response as it came, {@code null} if nobody has sent it
 */
record PublishedResponse(HttpRequest request, int statusCode, HttpHeaders headers, Version version,
		Flux<List<ByteBuffer>> body,
		@Nullable HttpResponse<Publisher<List<ByteBuffer>>> origin) implements ResponseInfo {

	static PublishedResponse of(HttpResponse<Publisher<List<ByteBuffer>>> response) {
		return new PublishedResponse(response.request(), response.statusCode(), response.headers(), response.version(),
				JdkFlowAdapter.flowPublisherToFlux(response.body()), response);
	}

	static PublishedResponse of(HttpRequest request, int status, String contentType, Flux<List<ByteBuffer>> body) {
		return new PublishedResponse(request, status, headers(Map.of("content-type", List.of(contentType))),
				Version.HTTP_1_1, body, null);
	}

	private static HttpHeaders headers(Map<String, List<String>> values) {
		return HttpHeaders.of(values, (name, value) -> true);
	}

	PublishedResponse withBody(Flux<List<ByteBuffer>> body) {
		return new PublishedResponse(this.request, this.statusCode, this.headers, this.version, body, this.origin);
	}

	PublishedResponse withHeader(String name, String value) {
		Map<String, List<String>> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		values.putAll(this.headers.map());
		values.put(name, List.of(value));
		return new PublishedResponse(this.request, this.statusCode, headers(values), this.version, this.body,
				this.origin);
	}

	/**
	 * Let a handler read the body.
	 * @param <T> type of what it makes of it
	 * @param handler the handler
	 * @return the response as the handler wants it; who cancels it gives up the body
	 */
	<T> Mono<HttpResponse<T>> handle(BodyHandler<T> handler) {
		return Mono.fromCallable(() -> handler.apply(this))
			.onErrorResume((failure) -> discard().then(Mono.error(failure)))
			.flatMap(this::read);
	}

	private <T> Mono<HttpResponse<T>> read(BodySubscriber<T> reader) {
		HandedBody handed = new HandedBody(reader);
		this.body.subscribe(handed);
		return Mono
			.<HttpResponse<T>>fromCompletionStage(
					reader.getBody().thenApply((result) -> new HandledResponse<>(this, result)))
			.doOnCancel(handed::cancel);
	}

	Mono<Void> discard() {
		return Mono.fromRunnable(() -> this.body.doOnSubscribe(Subscription::cancel).subscribe());
	}

}
