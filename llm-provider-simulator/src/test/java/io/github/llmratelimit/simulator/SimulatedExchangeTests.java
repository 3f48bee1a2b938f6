package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SimulatedExchange} in virtual time.
 */
class SimulatedExchangeTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	@AfterEach
	void dispose() {
		this.time.dispose();
	}

	@Test
	void answersAfterNetworkDelayAndLatency() {
		SimulatedExchange exchange = exchange(SimulatorOptions.builder()
			.networkDelay(seconds(1))
			.latency(seconds(3))
			.outputTokens(OutputTokens.fixed(5)));
		List<JsonNode> answers = new ArrayList<>();
		chat(exchange).bodyToMono(JsonNode.class).subscribe(answers::add);
		this.time.advanceTimeBy(Duration.ofSeconds(5).minusNanos(1));
		assertThat(answers).isEmpty();
		this.time.advanceTimeBy(Duration.ofNanos(1));
		assertThat(answers).singleElement().satisfies((answer) -> {
			assertThat(answer.path("object").asString()).isEqualTo("chat.completion");
			assertThat(answer.at("/choices/0/message/content").asString()).hasSize(20);
			assertThat(answer.at("/choices/0/finish_reason").asString()).isEqualTo("stop");
			assertThat(answer.at("/usage").toString())
				.isEqualTo("{\"prompt_tokens\":4,\"completion_tokens\":5,\"total_tokens\":9}");
		});
		Ledger ledger = exchange.ledger();
		assertThat(ledger.firstArrival()).isEqualTo(Duration.ofSeconds(1));
		assertThat(ledger.lastCompleted()).isEqualTo(Duration.ofSeconds(4));
		assertThat(ledger.makespan()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void refusesWithAnExactHint() {
		SimulatedExchange exchange = exchange(
				SimulatorOptions.builder().requestsPerMinute(1).refusalStatus(439).latency(seconds(3)));
		chat(exchange).toBodilessEntity().subscribe();
		this.time.advanceTimeBy(Duration.ofMillis(500));
		StepVerifier.create(chat(exchange).toBodilessEntity())
			.expectErrorSatisfies(
					(ex) -> assertThat(ex).isInstanceOfSatisfying(WebClientResponseException.class, (refusal) -> {
						assertThat(refusal.getStatusCode().value()).isEqualTo(439);
						assertThat(refusal.getHeaders().getFirst("retry-after-ms")).isEqualTo("59500");
						assertThat(refusal.getHeaders().getFirst("retry-after")).isEqualTo("60");
						assertThat(refusal.getRequest()).isNotNull();
						assertThat(refusal.getRequest().getURI()).hasPath("/v1/chat/completions");
						assertThat(refusal.getResponseBodyAsString()).contains("Please try again in 59.5s.");
					}))
			.verify(TIMEOUT);
		assertThat(exchange.ledger().refusedRequests()).isEqualTo(1);
		assertThat(exchange.ledger().accepted()).isEqualTo(1);
	}

	@Test
	void announcesLevelsOnSuccess() {
		SimulatedExchange exchange = exchange(SimulatorOptions.builder().requestsPerMinute(60).tokensPerMinute(6000));
		ResponseEntity<Void> answer = chat(exchange).toBodilessEntity().block(TIMEOUT);
		assertThat(answer).isNotNull();
		assertThat(answer.getHeaders().getFirst("x-ratelimit-remaining-requests")).isEqualTo("59");
		assertThat(answer.getHeaders().getFirst("x-ratelimit-remaining-tokens")).isEqualTo("5996");
		assertThat(answer.getHeaders().getFirst("x-ratelimit-reset-tokens")).isEqualTo("40ms");
		assertThat(answer.getHeaders().getFirst("retry-after")).isNull();
	}

	@Test
	void streamsUsageOnlyWhenAskedFor() {
		SimulatedExchange exchange = exchange(SimulatorOptions.builder().outputTokens(OutputTokens.fixed(9)));
		List<String> plain = stream(exchange, Map.of()).collectList().block(TIMEOUT);
		assertThat(plain).hasSize(5).noneMatch((event) -> event.contains("usage")).endsWith("[DONE]");
		List<String> asked = stream(exchange, Map.of("stream_options", Map.of("include_usage", true))).collectList()
			.block(TIMEOUT);
		assertThat(asked).hasSize(6).endsWith("[DONE]");
		assertThat(asked.subList(0, 4)).allMatch((event) -> event.endsWith("\"usage\":null}"));
		assertThat(asked.get(4)).contains("\"choices\":[]",
				"\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":9,\"total_tokens\":13}");
		assertThat(asked.get(3)).contains("\"finish_reason\":\"stop\"");
	}

	@Test
	void holdsTheSlotUntilAStreamEnds() {
		SimulatedExchange exchange = exchange(SimulatorOptions.builder()
			.maxConcurrency(1)
			.latency(seconds(1))
			.outputTokens(OutputTokens.fixed(8))
			.chunkInterval(Duration.ofSeconds(1)));
		List<String> events = new ArrayList<>();
		stream(exchange, Map.of()).subscribe(events::add);
		this.time.advanceTimeBy(Duration.ofSeconds(4));
		assertThat(events).hasSize(3);
		assertThat(admitsAnother(exchange)).isFalse();
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(events).hasSize(4).endsWith("[DONE]");
		assertThat(admitsAnother(exchange)).isTrue();
		assertThat(exchange.ledger().highestConcurrency()).isEqualTo(1);
	}

	@Test
	void endsAStreamThatNobodyReads() {
		SimulatedExchange exchange = exchange(
				SimulatorOptions.builder().maxConcurrency(1).chunkInterval(Duration.ofSeconds(1)));
		List<ClientResponse> unread = new ArrayList<>();
		chat(exchange, Map.of("stream", true)).exchangeToMono((response) -> {
			unread.add(response);
			return Mono.never();
		}).subscribe();
		assertThat(unread).hasSize(1);
		assertThat(admitsAnother(exchange)).isFalse();
		this.time.advanceTimeBy(Duration.ofSeconds(10));
		assertThat(admitsAnother(exchange)).isTrue();
	}

	@Test
	void leavesNoTraceWhenCancelledBeforeArrival() {
		SimulatedExchange exchange = exchange(SimulatorOptions.builder().networkDelay(seconds(1)));
		Disposable call = chat(exchange).toBodilessEntity().subscribe();
		this.time.advanceTimeBy(Duration.ofMillis(999));
		call.dispose();
		this.time.advanceTimeBy(Duration.ofMinutes(1));
		assertThat(exchange.ledger().arrivals()).isZero();
	}

	@Test
	void freesTheSlotWhenCancelledBeforeTheAnswer() {
		SimulatedExchange exchange = exchange(SimulatorOptions.builder().maxConcurrency(1).latency(seconds(3)));
		Disposable call = chat(exchange).toBodilessEntity().subscribe();
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(admitsAnother(exchange)).isFalse();
		call.dispose();
		assertThat(exchange.ledger().lastCompleted()).isEqualTo(Duration.ofSeconds(1));
		assertThat(admitsAnother(exchange)).isTrue();
	}

	@Test
	void settlesACancelledStreamByWhatWasWritten() {
		SimulatedExchange exchange = exchange(SimulatorOptions.builder()
			.tokensPerMinute(10_000)
			.settles(true)
			.outputTokens(OutputTokens.fixed(800))
			.chunkInterval(Duration.ofSeconds(1)));
		StepVerifier.create(stream(exchange, Map.of("max_tokens", 1000)))
			.expectSubscription()
			.then(() -> this.time.advanceTimeBy(Duration.ofMillis(3500)))
			.expectNextCount(3)
			.thenCancel()
			.verify(TIMEOUT);
		assertThat(exchange.ledger().tokensCharged()).isEqualTo(4 + 2 * 8);
	}

	@Test
	void failsAsOftenAsTold() {
		SimulatedExchange exchange = exchange(SimulatorOptions.builder().failEvery(2, 503));
		assertThat(chat(exchange, Map.of()).exchangeToMono(ClientResponse::toBodilessEntity).block(TIMEOUT))
			.extracting((answer) -> answer.getStatusCode().value())
			.isEqualTo(200);
		assertThat(chat(exchange, Map.of()).exchangeToMono(ClientResponse::toBodilessEntity).block(TIMEOUT))
			.extracting((answer) -> answer.getStatusCode().value())
			.isEqualTo(503);
		assertThat(exchange.ledger().failed()).isEqualTo(1);
	}

	@Test
	void followsChangedLimits() {
		SimulatedExchange exchange = exchange(SimulatorOptions.builder().requestsPerMinute(2));
		assertThat(admitsAnother(exchange)).isTrue();
		exchange.changeLimits((options) -> options.requestsPerMinute(1));
		assertThat(admitsAnother(exchange)).isFalse();
	}

	@Test
	void isDoneAtTheLowerBoundByAClientThatFollowsItsHints() {
		SimulatorOptions options = SimulatorOptions.builder().requestsPerMinute(60).tokensPerMinute(100_000).build();
		SimulatedExchange exchange = new SimulatedExchange(options, this.time);
		Flux.range(0, 1000).concatMap((i) -> sendUntilAdmitted(exchange, 2000)).subscribe();
		this.time.advanceTimeBy(Duration.ofMinutes(20));
		long[] tokens = new long[1000];
		Arrays.fill(tokens, 2000);
		assertThat(exchange.ledger().accepted()).isEqualTo(1000);
		assertThat(exchange.ledger().makespan()).isEqualTo(LowerBound.of(options, tokens).makespan());
		assertThat(exchange.ledger().highestRequestsInWindow()).isEqualTo(60);
	}

	private Mono<Void> sendUntilAdmitted(SimulatedExchange exchange, int tokens) {
		return client(exchange).post()
			.uri("/v1/embeddings")
			.header("x-simulator-prompt-tokens", Integer.toString(tokens))
			.bodyValue(Map.of("model", "m", "input", "text"))
			.exchangeToMono((response) -> response.releaseBody().thenReturn(hint(response)))
			.flatMap((hint) -> hint.isZero() ? Mono.empty()
					: Mono.delay(hint, this.time).then(sendUntilAdmitted(exchange, tokens)));
	}

	private static Duration hint(ClientResponse response) {
		return response.headers()
			.header("retry-after-ms")
			.stream()
			.findFirst()
			.map((millis) -> Duration.ofMillis(Long.parseLong(millis)))
			.orElse(Duration.ZERO);
	}

	private static boolean admitsAnother(SimulatedExchange exchange) {
		int before = exchange.ledger().accepted();
		client(exchange).get().uri("/simulator/echo/ping").exchangeToMono(ClientResponse::releaseBody).subscribe();
		return exchange.ledger().accepted() > before;
	}

	private SimulatedExchange exchange(SimulatorOptions.Builder options) {
		return new SimulatedExchange(options.build(), this.time);
	}

	private static WebClient.ResponseSpec chat(SimulatedExchange exchange) {
		return chat(exchange, Map.of()).retrieve();
	}

	private static Flux<String> stream(SimulatedExchange exchange, Map<String, Object> more) {
		Map<String, Object> body = new HashMap<>(more);
		body.put("stream", true);
		return chat(exchange, body).retrieve().bodyToFlux(new ParameterizedTypeReference<ServerSentEvent<String>>() {
		}).mapNotNull(ServerSentEvent::data);
	}

	private static WebClient.RequestHeadersSpec<?> chat(SimulatedExchange exchange, Map<String, Object> more) {
		Map<String, Object> body = new HashMap<>(more);
		body.put("model", "m");
		body.put("messages", List.of(Map.of("role", "user", "content", "four")));
		return client(exchange).post().uri("https://api.example.com/v1/chat/completions").bodyValue(body);
	}

	private static WebClient client(SimulatedExchange exchange) {
		return WebClient.builder().exchangeFunction(exchange).build();
	}

	private static Delay seconds(long seconds) {
		return Delay.fixed(Duration.ofSeconds(seconds));
	}

	@Test
	void readsOnlyTheSchedulersClock() {
		this.time.advanceTimeBy(Duration.ofHours(1));
		SimulatedExchange exchange = exchange(SimulatorOptions.builder());
		JsonNode answer = chat(exchange).bodyToMono(JsonNode.class).block(TIMEOUT);
		assertThat(answer).isNotNull();
		assertThat(answer.path("created").asLong()).isEqualTo(TimeUnit.HOURS.toSeconds(1));
		assertThat(exchange.ledger().firstArrival()).isZero();
	}

}
