package io.github.llmratelimit.webclient;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.FallbackAnswer.Resend;
import io.github.llmratelimit.FallbackAnswer.Response;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.RefusedCall;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * What a caller gets in place of the response to a request that was refused: what a
 * fallback says, marked as such.
 */
final class Substitute {

	/* Any other header may be a secret between the caller and the first host. */
	private static final Set<String> FOR_ANY_HOST = Set.of("accept", "content-type");

	private final EncodedRequest request;

	private final ExchangeStrategies codecs;

	private final ExchangeFunction client;

	/**
	 * Create a substitute.
	 * @param request the request
	 * @param codecs how the client reads responses
	 * @param client sends requests within the limits of their providers
	 */
	Substitute(EncodedRequest request, ExchangeStrategies codecs, ExchangeFunction client) {
		this.request = request;
		this.codecs = codecs;
		this.client = client;
	}

	RefusedCall refused(LlmCall call, LlmRateLimitException refusal) {
		return new RefusedCall(call, refusal, this.request.url(), this.request.text(), this.request.attributes());
	}

	Mono<ClientResponse> answer(RefusedCall refused, FallbackAnswer answer) {
		Mono<ClientResponse> response = (answer instanceof Resend resend) ? send(refused, resend)
				: Mono.just(respond((Response) answer));
		return response.map((given) -> marked(given, refused.refusal()));
	}

	private static ClientResponse marked(ClientResponse response, LlmRateLimitException refusal) {
		return response.mutate().header(LlmFallback.HEADER, refusal.reason().name()).build();
	}

	private ClientResponse respond(Response response) {
		return ClientResponse.create(HttpStatusCode.valueOf(response.status()), this.codecs)
			.header(HttpHeaders.CONTENT_TYPE, response.contentType())
			.body(Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(response.body()))))
			.build();
	}

	private Mono<ClientResponse> send(RefusedCall refused, Resend resend) {
		return this.client.exchange(request(refused, resend))
			.flatMap((response) -> response.statusCode().isError() ? response.createError() : Mono.just(response));
	}

	private ClientRequest request(RefusedCall refused, Resend resend) {
		String model = resend.model();
		URI url = resend.url();
		ClientRequest.Builder request = ClientRequest
			.from(((model != null) ? this.request.withModel(model) : this.request).toSend());
		if (model != null) {
			request.attributes(LlmRateLimitAttributes.model(model));
		}
		if (url != null) {
			move(request, url);
		}
		Duration maxWait = refused.call().maxWait();
		if (maxWait != null) {
			request.attributes(LlmRateLimitAttributes.maxWait(maxWait));
		}
		return request.headers((headers) -> resend.headers().forEach(headers::set)).build();
	}

	private void move(ClientRequest.Builder request, URI url) {
		request.url(url);
		if (!isSameHost(url, this.request.url())) {
			request.attributes(LlmRateLimitAttributes.providerOfUrl())
				.cookies(MultiValueMap::clear)
				.headers((headers) -> headers.headerNames()
					.stream()
					.filter((name) -> !FOR_ANY_HOST.contains(name.toLowerCase(Locale.ROOT)))
					.toList()
					.forEach(headers::remove));
		}
	}

	private static boolean isSameHost(URI url, URI other) {
		return Objects.equals(url.getScheme(), other.getScheme()) && Objects.equals(url.getHost(), other.getHost())
				&& url.getPort() == other.getPort();
	}

}
