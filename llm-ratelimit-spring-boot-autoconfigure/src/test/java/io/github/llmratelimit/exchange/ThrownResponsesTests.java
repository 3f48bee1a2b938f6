package io.github.llmratelimit.exchange;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmFailureClassifier;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.pipeline.ActionFailures.Reading;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.restclient.RestClientResponseReader;
import io.github.llmratelimit.webclient.WebClientResponseReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClientResponseException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

/**
 * Tests for {@link ThrownResponses} with the exceptions of Spring's clients.
 */
class ThrownResponsesTests {

	private static final LlmCall CALL = LlmCall.to("openai");

	private static final byte[] BODY = "{\"error\":{\"message\":\"no\"}}".getBytes(StandardCharsets.UTF_8);

	private final ThrownResponses responses = responses();

	static Stream<Arguments> clients() {
		return Stream
			.<Function<HttpStatus, Throwable>>of(ThrownResponsesTests::restClient, ThrownResponsesTests::webClient)
			.map((client) -> Arguments.of(named(client.apply(HttpStatus.OK).getClass().getSimpleName(), client)));
	}

	@ParameterizedTest
	@MethodSource("clients")
	void readsWhatTheProviderSays(Function<HttpStatus, Throwable> client) {
		Reading reading = this.responses.read(CALL, client.apply(HttpStatus.TOO_MANY_REQUESTS));
		assertThat(reading.signal().outcome()).isEqualTo(CallOutcome.THROTTLED);
		assertThat(reading.signal().hint()).isEqualTo(Duration.ofSeconds(7));
		assertThat(reading.status()).isEqualTo(429);
		assertThat(reading.limits().limits()).singleElement()
			.satisfies((observed) -> assertThat(observed.counts()).isEqualTo(Counted.REQUESTS));
	}

	@ParameterizedTest
	@MethodSource("clients")
	void findsTheResponseInTheCauses(Function<HttpStatus, Throwable> client) {
		Throwable wrapped = new IllegalStateException(new IOException(client.apply(HttpStatus.SERVICE_UNAVAILABLE)));
		assertThat(this.responses.read(CALL, wrapped).status()).isEqualTo(503);
		assertThat(this.responses.read(CALL, wrapped).signal().outcome()).isEqualTo(CallOutcome.OVERLOADED);
	}

	@ParameterizedTest
	@MethodSource("clients")
	void blamesNoKeyOfThePool(Function<HttpStatus, Throwable> client) {
		assertThat(this.responses.read(CALL, client.apply(HttpStatus.UNAUTHORIZED)).signal().outcome())
			.isEqualTo(CallOutcome.REJECTED);
	}

	@Test
	void readsAResponseWithoutHeaders() {
		Throwable thrown = new RestClientResponseException("429", HttpStatus.TOO_MANY_REQUESTS, "", null, null, null);
		assertThat(this.responses.read(CALL, thrown).signal().outcome()).isEqualTo(CallOutcome.THROTTLED);
	}

	@Test
	void tellsWhatWasNotSentFromALostConnectionAndFromTheRest() {
		Reading notSent = this.responses.read(CALL, new ResourceAccessException("I/O", new ConnectException()));
		assertThat(notSent.signal().outcome()).isEqualTo(CallOutcome.NOT_SENT);
		Reading lost = this.responses.read(CALL, new ResourceAccessException("I/O", new IOException("reset")));
		assertThat(lost).isEqualTo(new Reading(ThrottleSignal.of(CallOutcome.FAILED), 0, lost.limits()));
		assertThat(this.responses.read(CALL, new IllegalStateException()).status()).isNegative();
	}

	@Test
	void asksClassifiersFirst() {
		ThrottleSignal slow = ThrottleSignal.throttled(Tripped.TOKENS, null, "own");
		LlmFailureClassifier silent = (call, failure) -> null;
		LlmFailureClassifier own = (call, failure) -> call.provider().equals("openai") ? slow : null;
		Throwable thrown = webClient(HttpStatus.BAD_REQUEST);
		assertThat(responses(silent, own).read(CALL, thrown).signal()).isEqualTo(slow);
		assertThat(responses(silent, own).read(LlmCall.to("mistral"), thrown).signal().outcome())
			.isEqualTo(CallOutcome.FAILED);
	}

	private static ThrownResponses responses(LlmFailureClassifier... classifiers) {
		return new ThrownResponses(
				new ProviderRegistry(List.of(new Provider("openai", Dialects.builtIn().get("openai"), List.of()))),
				List.of(classifiers), List.of(new RestClientResponseReader(), new WebClientResponseReader()));
	}

	private static Throwable restClient(HttpStatus status) {
		return HttpClientErrorException.create(status, "", headers(), BODY, null);
	}

	private static Throwable webClient(HttpStatus status) {
		return WebClientResponseException.create(status.value(), "", headers(), BODY, null);
	}

	private static HttpHeaders headers() {
		HttpHeaders headers = new HttpHeaders();
		headers.set("Retry-After", "7");
		headers.set("X-RateLimit-Limit-Requests", "60");
		headers.set("X-RateLimit-Remaining-Requests", "0");
		return headers;
	}

}
