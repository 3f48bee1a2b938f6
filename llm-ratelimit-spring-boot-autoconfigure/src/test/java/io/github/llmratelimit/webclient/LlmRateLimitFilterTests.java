package io.github.llmratelimit.webclient;

import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.exchange.ExchangeOptions;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.RecordedCalls;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.MultipartBodyBuilder;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LlmRateLimitFilter} in virtual time, with a provider that answers what
 * it is told.
 */
class LlmRateLimitFilterTests {

	private static final String CHAT = """
			{"model":"m","max_tokens":400,"messages":[{"role":"user","content":"Hello"}]}""";

	private static final String ANSWER = """
			{"choices":[{"message":{"content":"Hi"}}],"usage":{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150}}""";

	private static final String RATE_LIMITED = """
			{"error":{"message":"Rate limit reached for m on requests per min (RPM): Limit 60, Used 60, Requested 1. Please try again in 5s.","type":"requests","code":"rate_limit_exceeded"}}""";

	private final VirtualTime time = new VirtualTime();

	private final RecordedCalls events = new RecordedCalls();

	private final ScriptedProvider provider = new ScriptedProvider();

	private AdmissionController limiter = limiter(10_000);

	private Map<String, ExchangeOptions> options = Map.of();

	@Test
	void leavesOtherHostsAlone() {
		this.provider.answer(200, "fine");
		Mono<String> body = client().get().uri("https://example.org/").retrieve().bodyToMono(String.class);
		assertThat(answerOf(body)).isEqualTo("fine");
		assertThat(this.events.admitted()).isEmpty();
	}

	@Test
	void rejectsTheNameOfAProviderThatIsNotThere() {
		Mono<String> call = client().get()
			.uri("https://example.org/")
			.attributes(LlmRateLimitAttributes.provider("opnai"))
			.retrieve()
			.bodyToMono(String.class);
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> answerOf(call))
			.withMessageContaining("opnai");
	}

	@Test
	void sendsWhatWouldBeSentWithoutIt() {
		this.provider.answer(200, ANSWER).answer(200, ANSWER);
		Map<String, Object> body = Map.of("model", "m", "max_tokens", 400);
		answerOf(client().post()
			.uri("https://api.openai.com/v1/chat/completions")
			.bodyValue(body)
			.retrieve()
			.bodyToMono(String.class));
		answerOf(WebClient.builder()
			.exchangeFunction(this.provider)
			.build()
			.post()
			.uri("https://api.openai.com/v1/chat/completions")
			.bodyValue(body)
			.retrieve()
			.bodyToMono(String.class));
		assertThat(this.provider.sent.get(0).body()).isEqualTo(this.provider.sent.get(1).body());
		assertThat(this.provider.sent.get(0).headers()).isEqualTo(this.provider.sent.get(1).headers());
	}

	@Test
	void settlesByTheUsageOfTheResponse() {
		this.provider.answer(200, ANSWER, "content-type", "application/json");
		assertThat(answerOf(chat())).isEqualTo(ANSWER);
		assertThat(this.events.completed()).singleElement().satisfies((completed) -> {
			assertThat(completed.outcome()).isEqualTo(CallOutcome.SUCCESS);
			assertThat(completed.usage().total()).isEqualTo(150);
		});
		assertThat(used("tokens-per-minute")).isEqualTo(150);
	}

	@Test
	void debtIsPaidByLaterCallsAndNotByTheFinishedOne() {
		String answer = ANSWER.replace(":50,", ":1499900,").replace(":150}", ":1500000}");
		this.provider.answer(200, answer, "content-type", "application/json").answer(200, ANSWER);
		assertThat(answerOf(chat())).isEqualTo(answer);
		assertThat(used("tokens-per-minute")).isEqualTo(1_500_000);
		List<String> later = new ArrayList<>();
		chat().subscribe(later::add);
		assertThat(later).isEmpty();
		this.time.advance(Duration.ofSeconds(100));
		assertThat(later).hasSize(1);
	}

	@Test
	void keepsTheEstimateIfNoUsageIsReported() {
		this.provider.answer(200, "{\"choices\":[]}", "content-type", "application/json");
		answerOf(chat());
		assertThat(used("tokens-per-minute")).isEqualTo(400);
	}

	@Test
	void handsOnMalformedResponsesAsTheyAre() {
		for (String malformed : List.of("{\"usage\":", "<html>", "", "{\"usage\":{\"prompt_tokens\":\"x\"}}")) {
			this.provider.answer(200, malformed, "content-type", "application/json", "x-ratelimit-remaining-tokens",
					"lots", "x-ratelimit-reset-requests", "-1");
			assertThat(chat().defaultIfEmpty("").block(Duration.ofSeconds(5))).isEqualTo(malformed);
		}
		assertThat(inFlight()).isZero();
	}

	@Test
	void retriesInTheOldPlaceAfterTheHint() {
		this.provider.answer(429, RATE_LIMITED, "retry-after", "5").answer(200, ANSWER);
		List<String> answers = new ArrayList<>();
		chat().subscribe(answers::add);
		assertThat(account().state()).isEqualTo(LevelSnapshot.State.COOLING_DOWN);
		this.time.advance(Duration.ofMillis(4_999));
		assertThat(this.provider.sent).hasSize(1);
		this.time.advance(Duration.ofSeconds(2));
		assertThat(answers).containsExactly(ANSWER);
		assertThat(this.provider.sent).hasSize(2);
		assertThat(this.provider.sent.get(1)).isEqualTo(this.provider.sent.get(0));
		assertThat(this.events.retries()).hasSize(1);
	}

	@Test
	void holdsBackEverybodyElseWhileCoolingDown() {
		this.provider.answer(439, RATE_LIMITED, "retry-after", "5").answer(200, ANSWER).answer(200, ANSWER);
		AtomicInteger answers = new AtomicInteger();
		chat().subscribe((answer) -> answers.incrementAndGet());
		chat().subscribe((answer) -> answers.incrementAndGet());
		this.time.advance(Duration.ofMillis(4_999));
		assertThat(this.provider.sent).hasSize(1);
		this.time.advance(Duration.ofSeconds(2));
		assertThat(answers).hasValue(2);
	}

	@Test
	void givesTheProvidersLastResponseToTheCaller() {
		for (int attempt = 0; attempt < 4; attempt++) {
			this.provider.answer(429, RATE_LIMITED, "retry-after", "1", "x-request-id", "r" + attempt);
		}
		AtomicReference<ResponseEntity<String>> response = new AtomicReference<>();
		request().exchangeToMono((answer) -> answer.toEntity(String.class)).subscribe(response::set);
		this.time.advance(Duration.ofMinutes(5));
		assertThat(this.provider.sent).hasSize(4);
		assertThat(response.get().getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
		assertThat(response.get().getBody()).isEqualTo(RATE_LIMITED);
		assertThat(response.get().getHeaders().getFirst("x-request-id")).isEqualTo("r3");
		assertThat(inFlight()).isZero();
	}

	@Test
	void givesTheRefusalToTheCallerIfThereIsNoTimeToTryAgain() {
		this.provider.answer(429, RATE_LIMITED, "retry-after", "60");
		Mono<Integer> status = request().attributes(LlmRateLimitAttributes.maxWait(Duration.ofSeconds(10)))
			.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()));
		assertThat(answerOf(status)).isEqualTo(429);
		assertThat(account().state()).isEqualTo(LevelSnapshot.State.COOLING_DOWN);
	}

	@Test
	void doesNotRetryWhatWaitingDoesNotHeal() {
		String quota = "{\"error\":{\"message\":\"You exceeded your current quota\",\"code\":\"insufficient_quota\"}}";
		this.provider.answer(429, quota).answer(400, "{\"error\":{\"message\":\"bad\"}}").answer(500, "oops");
		for (int status : new int[] { 429, 400, 500 }) {
			Mono<Integer> answered = request()
				.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()));
			assertThat(answerOf(answered)).isEqualTo(status);
		}
		assertThat(this.provider.sent).hasSize(3);
		assertThat(inFlight()).isZero();
	}

	@Test
	void sendsOnceMoreAndGivesBackWhatWasNeverSent() {
		this.provider.fail(unreachable()).fail(unreachable());
		assertThatExceptionOfType(WebClientRequestException.class).isThrownBy(() -> answerOf(chat()));
		assertThat(this.provider.sent).hasSize(2);
		assertThat(used("requests-per-minute")).isZero();
		assertThat(used("tokens-per-minute")).isZero();
		assertThat(inFlight()).isZero();
	}

	@Test
	void keepsWhatMayHaveArrived() {
		this.provider.fail(new IllegalStateException("connection reset"));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> answerOf(chat()));
		assertThat(this.provider.sent).hasSize(1);
		assertThat(used("requests-per-minute")).isOne();
		assertThat(used("tokens-per-minute")).isEqualTo(400);
		assertThat(inFlight()).isZero();
	}

	@Test
	void streamsWithoutDelayAndSettlesAtTheEnd() {
		Sinks.Many<DataBuffer> body = Sinks.many().unicast().onBackpressureBuffer();
		this.provider.answer(200, body.asFlux(), "content-type", "text/event-stream");
		List<String> events = new ArrayList<>();
		request().retrieve().bodyToFlux(String.class).subscribe(events::add);
		body.tryEmitNext(ScriptedProvider.buffer("data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n"));
		assertThat(events).hasSize(1);
		assertThat(inFlight()).isOne();
		body.tryEmitNext(ScriptedProvider.buffer("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,"
				+ "\"completion_tokens\":2,\"total_tokens\":9}}\n\ndata: [DONE]\n\n"));
		body.tryEmitComplete();
		assertThat(events).hasSize(3);
		assertThat(used("tokens-per-minute")).isEqualTo(9);
		assertThat(inFlight()).isZero();
	}

	@Test
	void chargesWhatWasSeenOfACancelledStream() {
		Sinks.Many<DataBuffer> body = Sinks.many().unicast().onBackpressureBuffer();
		this.provider.answer(200, body.asFlux(), "content-type", "text/event-stream");
		Disposable subscription = request().retrieve().bodyToFlux(String.class).subscribe();
		body.tryEmitNext(
				ScriptedProvider.buffer("data: {\"choices\":[{\"delta\":{\"content\":\"Hello there\"}}]}\n\n"));
		subscription.dispose();
		assertThat(this.events.completed()).singleElement().satisfies((completed) -> {
			assertThat(completed.outcome()).isEqualTo(CallOutcome.CANCELLED);
			assertThat(completed.usage().output()).as("eleven characters").isEqualTo(3);
		});
		long input = this.events.admitted().get(0).call().tokens().input();
		assertThat(used("tokens-per-minute")).isEqualTo(input + 3);
		assertThat(inFlight()).isZero();
	}

	@Test
	void retriesAnErrorThatHidesInTheFirstChunkOfASuccess() {
		this.provider.answer(200, "data: " + RATE_LIMITED + "\n\n", "content-type", "text/event-stream")
			.answer(200, "data: {\"choices\":[]}\n\ndata: [DONE]\n\n", "content-type", "text/event-stream");
		List<String> events = new ArrayList<>();
		request().retrieve().bodyToFlux(String.class).subscribe(events::add);
		this.time.advance(Duration.ofSeconds(20));
		assertThat(events).containsExactly("{\"choices\":[]}", "[DONE]");
		assertThat(this.provider.sent).hasSize(2);
	}

	@Test
	void passesOnARefusalInMidStreamAndCoolsDown() {
		Flux<DataBuffer> body = Flux
			.just("data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n", "data: " + RATE_LIMITED + "\n\n")
			.map(ScriptedProvider::buffer);
		this.provider.answer(200, body, "content-type", "text/event-stream");
		List<String> events = new ArrayList<>();
		request().retrieve().bodyToFlux(String.class).subscribe(events::add);
		assertThat(events).hasSize(2);
		assertThat(events.get(1)).isEqualTo(RATE_LIMITED);
		assertThat(account().state()).isEqualTo(LevelSnapshot.State.COOLING_DOWN);
		assertThat(this.provider.sent).hasSize(1);
		assertThat(inFlight()).isZero();
	}

	@Test
	void settlesAStreamThatFailsByTheUsageItReports() {
		Flux<DataBuffer> body = Flux
			.just("data: {\"type\":\"response.output_text.delta\",\"delta\":\"Hi\"}\n\n",
					"data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"server_error\"},"
							+ "\"usage\":{\"input_tokens\":11,\"output_tokens\":4,\"total_tokens\":15}}}\n\n")
			.map(ScriptedProvider::buffer);
		this.provider.answer(200, body, "content-type", "text/event-stream");
		request().retrieve().bodyToFlux(String.class).subscribe();
		assertThat(this.events.completed()).singleElement().satisfies((completed) -> {
			assertThat(completed.outcome()).isEqualTo(CallOutcome.FAILED);
			assertThat(completed.usage()).isEqualTo(new TokenUsage(11, 4));
		});
		assertThat(used("tokens-per-minute")).isEqualTo(15);
		assertThat(inFlight()).isZero();
	}

	@Test
	void endsThePermitOfABodyThatNobodyReads() {
		this.provider.answer(200, ANSWER);
		request().exchangeToMono((response) -> Mono.never()).subscribe();
		assertThat(inFlight()).isOne();
		this.time.advance(Duration.ofMinutes(10));
		assertThat(inFlight()).isZero();
	}

	@Test
	void givesBackTheSlotWhenACallIsCancelledBeforeItsResponse() {
		this.provider.neverAnswer();
		Disposable call = chat().subscribe();
		assertThat(inFlight()).isOne();
		call.dispose();
		assertThat(inFlight()).isZero();
		assertThat(this.events.completed()).singleElement()
			.satisfies((completed) -> assertThat(completed.outcome()).isEqualTo(CallOutcome.CANCELLED));
	}

	@Test
	void holdsNoConnectionAndEncodesOnceWhileWaiting() {
		this.limiter = limiter(1);
		this.provider.answer(200, ANSWER).answer(200, ANSWER);
		AtomicInteger encoded = new AtomicInteger();
		answerOf(chat());
		Mono<Map<String, Object>> body = Mono.fromSupplier(() -> {
			encoded.incrementAndGet();
			return Map.of("model", "m");
		});
		List<String> answers = new ArrayList<>();
		client().post()
			.uri("https://api.openai.com/v1/chat/completions")
			.body(body, Map.class)
			.retrieve()
			.bodyToMono(String.class)
			.subscribe(answers::add);
		assertThat(encoded).hasValue(1);
		assertThat(this.provider.sent).hasSize(1);
		this.time.advance(Duration.ofMinutes(1));
		assertThat(answers).hasSize(1);
		assertThat(encoded).hasValue(1);
	}

	@Test
	void sendsBodiesThatCannotBeReadUntouched() {
		MultipartBodyBuilder multipart = new MultipartBodyBuilder();
		multipart.part("model", "whisper-1");
		AtomicBoolean subscribedTwice = new AtomicBoolean();
		AtomicInteger subscriptions = new AtomicInteger();
		Flux<Map<String, Integer>> lines = Flux.just(Map.of("a", 1), Map.of("a", 2))
			.doOnSubscribe((subscription) -> subscribedTwice.set(subscriptions.incrementAndGet() > 1));
		this.provider.answer(200, "").answer(200, "").answer(200, "").answer(200, "");
		WebClient.RequestBodySpec any = client().post().uri("https://api.openai.com/v1/audio/transcriptions");
		any.body(BodyInserters.fromMultipartData(multipart.build())).retrieve().toBodilessEntity().block();
		any.contentType(MediaType.APPLICATION_NDJSON).body(lines, Map.class).retrieve().toBodilessEntity().block();
		any.contentType(MediaType.TEXT_PLAIN).bodyValue("just text").retrieve().toBodilessEntity().block();
		any.contentType(MediaType.APPLICATION_JSON).bodyValue("{not json").retrieve().toBodilessEntity().block();
		assertThat(this.provider.sent).hasSize(4);
		assertThat(this.provider.sent.get(0).body()).contains("whisper-1");
		assertThat(this.provider.sent.get(1).body()).isEqualTo("{\"a\":1}\n{\"a\":2}\n");
		assertThat(this.provider.sent.get(2).body()).isEqualTo("just text");
		assertThat(this.provider.sent.get(3).body()).isEqualTo("{not json");
		assertThat(subscribedTwice).isFalse();
		assertThat(used("requests-per-minute")).isEqualTo(4);
		assertThat(this.events.admitted())
			.allSatisfy((permit) -> assertThat(permit.call().tokens()).isEqualTo(TokenEstimate.of(1000, 0)));
	}

	@Test
	void countsARequestWithoutBodyAsARequest() {
		this.provider.answer(200, "[]");
		answerOf(client().get().uri("https://api.openai.com/v1/models").retrieve().bodyToMono(String.class));
		assertThat(used("requests-per-minute")).isOne();
		assertThat(used("tokens-per-minute")).isZero();
	}

	@Test
	void takesWhatTheCallSays() {
		this.provider.answer(200, "{}");
		Mono<String> answer = client().post()
			.uri("https://elsewhere.example/chat")
			.attributes(LlmRateLimitAttributes.provider("openai"))
			.attributes(LlmRateLimitAttributes.tokens(TokenEstimate.of(1234, 0)))
			.bodyValue(Map.of("model", "m"))
			.retrieve()
			.bodyToMono(String.class);
		answerOf(answer);
		assertThat(used("tokens-per-minute")).isEqualTo(1234);
	}

	@Test
	void takesWhatTheScopeAroundTheCallSaysAndTheCallDoesNot() {
		this.provider.answer(200, "{}").answer(200, "{}");
		Mono<String> answer = request().retrieve().bodyToMono(String.class);
		LlmCallScope scope = LlmCallScope.of(LlmRateLimitAttributes.tokens(TokenEstimate.of(1000, 0)));
		answerOf(answer.contextWrite(scope::in));
		assertThat(used("tokens-per-minute")).isEqualTo(1000);
		Mono<String> stated = request().attributes(LlmRateLimitAttributes.tokens(TokenEstimate.of(7, 0)))
			.retrieve()
			.bodyToMono(String.class);
		scope.during(() -> answerOf(stated));
		assertThat(used("tokens-per-minute")).isEqualTo(1007);
	}

	@Test
	void failsACallThatCanNeverFit() {
		Mono<String> call = request().attributes(LlmRateLimitAttributes.tokens(TokenEstimate.of(2_000_000, 0)))
			.retrieve()
			.bodyToMono(String.class);
		assertThatExceptionOfType(LlmRateLimitException.class).isThrownBy(() -> answerOf(call))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(LlmRateLimitException.Reason.NEVER_FITS))
			.withMessageContaining("tokens-per-minute")
			.withMessageContaining("2000000");
		assertThat(this.provider.sent).isEmpty();
	}

	@Test
	void lowersTheLevelToWhatTheProviderAnnounces() {
		this.provider.answer(200, ANSWER, "x-ratelimit-limit-requests", "10000", "x-ratelimit-remaining-requests", "2",
				"x-ratelimit-reset-requests", "30s");
		answerOf(chat());
		assertThat(used("requests-per-minute")).isEqualTo(9_998);
	}

	@Test
	void asksForTheUsageOfAStreamIfSoConfigured() {
		this.options = Map.of("openai", ExchangeOptions.DEFAULT.withRequestStreamUsage(true));
		assertThat(
				sentFor("{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"{}\"}]} \n"))
			.isEqualTo("{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"{}\"}]"
					+ ",\"stream_options\":{\"include_usage\":true}} \n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"stream\":true,\"stream_options\":{},\"messages\":[{}]}",
			"{\"stream\":false,\"messages\":[{}]}", "{\"messages\":[{}]}", "{\"stream\":true,\"input\":\"Hello\"}",
			"{\"stream\":true" })
	void sendsOtherRequestsAsTheyAre(String body) {
		this.options = Map.of("openai", ExchangeOptions.DEFAULT.withRequestStreamUsage(true));
		assertThat(sentFor(body)).isEqualTo(body);
	}

	@Test
	void asksForNothingIfNotSoConfigured() {
		String body = "{\"stream\":true,\"messages\":[{}]}";
		assertThat(sentFor(body)).isEqualTo(body);
	}

	private String sentFor(String body) {
		this.provider.answer(200, ANSWER);
		answerOf(client().post()
			.uri("https://api.openai.com/v1/chat/completions")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.retrieve()
			.bodyToMono(String.class));
		assertThat(this.provider.sent.get(0).headers().getContentLength())
			.isEqualTo(this.provider.sent.get(0).body().length());
		return this.provider.sent.get(0).body();
	}

	private static WebClientRequestException unreachable() {
		return new WebClientRequestException(new ConnectException("refused"), org.springframework.http.HttpMethod.POST,
				URI.create("https://api.openai.com"), org.springframework.http.HttpHeaders.EMPTY);
	}

	private AdmissionController limiter(long requestsPerMinute) {
		LimitPlan limits = LimitPlan.of(
				Limit.of("requests-per-minute", Counted.REQUESTS, requestsPerMinute, Duration.ofMinutes(1),
						LimitAlgorithm.SLIDING_WINDOW),
				Limit.of("tokens-per-minute", Counted.TOKENS, 1_000_000, Duration.ofMinutes(1),
						LimitAlgorithm.SLIDING_WINDOW));
		return new AdmissionController(List.of(ProviderPlan.of("openai", limits)), new LocalLimitStore(this.time),
				this.time, List.of(this.events));
	}

	private WebClient client() {
		Provider openai = new Provider("openai", Dialects.builtIn().get("openai"),
				List.of(URI.create("https://api.openai.com")));
		LlmCallPipeline pipeline = new LlmCallPipeline(this.limiter,
				Map.of("openai", new RetryPolicy(4, Backoff.DEFAULT, () -> 0.5)), this.time, List.of(this.events));
		LlmRateLimitFilter filter = new LlmRateLimitFilter(new LlmExchanges(new ProviderRegistry(List.of(openai)),
				pipeline, new CallEstimator(new HeuristicTokenEstimator(), List.of(), Map.of()), this.time,
				this.options));
		WebClient.Builder builder = WebClient.builder().exchangeFunction(this.provider);
		new LlmRateLimitWebClientCustomizer(filter).customize(builder);
		return builder.build();
	}

	private WebClient.RequestHeadersSpec<?> request() {
		return client().post()
			.uri("https://api.openai.com/v1/chat/completions")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(CHAT);
	}

	private Mono<String> chat() {
		return request().retrieve().bodyToMono(String.class);
	}

	private static <T> T answerOf(Mono<T> call) {
		return call.block(Duration.ofSeconds(5));
	}

	private LevelSnapshot account() {
		ProviderSnapshot snapshot = this.limiter.snapshot().blockLast(Duration.ofSeconds(5));
		return snapshot.accounts().get("default");
	}

	private int inFlight() {
		return account().inFlight();
	}

	private long used(String limit) {
		return account().limits()
			.stream()
			.filter((each) -> each.limit().name().equals(limit))
			.findFirst()
			.orElseThrow()
			.used();
	}

}
