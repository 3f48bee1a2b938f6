package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.client.WebClient;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProviderSimulator} over HTTP.
 */
class ProviderSimulatorTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	@Test
	void refusesUntilItsMinuteIsOver() {
		SimulatorOptions options = SimulatorOptions.builder()
			.requestsPerMinute(2)
			.minute(Duration.ofSeconds(2))
			.build();
		try (ProviderSimulator simulator = ProviderSimulator.start(options)) {
			assertThat(Stream.generate(() -> chat(simulator, "four").getStatusCode().value()).limit(2))
				.containsExactly(200, 200);
			ResponseEntity<JsonNode> refusal = chat(simulator, "four");
			assertThat(refusal.getStatusCode().value()).isEqualTo(429);
			assertThat(refusal.getBody()).isNotNull();
			assertThat(refusal.getBody().at("/error/code").asString()).isEqualTo("rate_limit_exceeded");
			long wait = Long.parseLong(refusal.getHeaders().getFirst("retry-after-ms"));
			assertThat(wait).isBetween(1L, 2000L);
			ResponseEntity<JsonNode> later = Mono.delay(Duration.ofMillis(wait))
				.map((tick) -> chatRequest(simulator, "four"))
				.flatMap(Mono::from)
				.block(TIMEOUT);
			assertThat(later).isNotNull();
			assertThat(later.getStatusCode().value()).isEqualTo(200);
			assertThat(simulator.ledger().accepted()).isEqualTo(3);
			assertThat(simulator.ledger().highestRequestsInWindow()).isEqualTo(2);
		}
	}

	@Test
	void admitsExactlyTheLimitOfManyCallsAtOnce() {
		SimulatorOptions options = SimulatorOptions.builder().requestsPerMinute(50).maxConcurrency(1000).build();
		try (ProviderSimulator simulator = ProviderSimulator.start(options)) {
			List<Integer> statuses = Flux.range(0, 200)
				.flatMap((i) -> chatRequest(simulator, "four"), 64)
				.map((answer) -> answer.getStatusCode().value())
				.collectList()
				.block(TIMEOUT);
			assertThat(statuses).hasSize(200);
			assertThat(statuses.stream().filter((status) -> status == 200)).hasSize(50);
			assertThat(simulator.ledger().accepted()).isEqualTo(50);
			assertThat(simulator.ledger().refusedRequests()).isEqualTo(150);
			assertThat(simulator.ledger().arrivalsPerSecond().stream().mapToInt(Integer::intValue).sum())
				.isEqualTo(200);
		}
	}

	@Test
	void answersAChatWithUsageAndLength() {
		try (ProviderSimulator simulator = ProviderSimulator.start()) {
			ResponseEntity<JsonNode> answer = chat(simulator, "四个汉字");
			assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
			assertThat(answer.getHeaders().getContentLength()).isPositive();
			assertThat(answer.getBody()).isNotNull();
			assertThat(answer.getBody().at("/usage/prompt_tokens").asInt()).isEqualTo(7);
		}
	}

	@Test
	void streamsEventsOneByOne() {
		SimulatorOptions options = SimulatorOptions.builder()
			.chunkInterval(Duration.ofMillis(20))
			.outputTokens(OutputTokens.fixed(16))
			.build();
		try (ProviderSimulator simulator = ProviderSimulator.start(options)) {
			StepVerifier.create(stream(simulator))
				.expectNextMatches((event) -> event.contains("\"role\":\"assistant\""))
				.expectNextMatches((event) -> event.contains("\"content\":"))
				.expectNextMatches((event) -> event.contains("\"content\":"))
				.expectNextMatches((event) -> event.contains("\"finish_reason\":\"stop\""))
				.expectNextMatches((event) -> event.contains("\"choices\":[]") && event.contains("\"total_tokens\":20"))
				.expectNext("[DONE]")
				.expectComplete()
				.verify(TIMEOUT);
			assertThat(simulator.ledger().makespan()).isGreaterThanOrEqualTo(Duration.ofMillis(120));
		}
	}

	@Test
	void freesTheSlotWhenTheClientDisconnects() {
		SimulatorOptions options = SimulatorOptions.builder()
			.maxConcurrency(1)
			.latency(Delay.fixed(Duration.ofMinutes(10)))
			.build();
		try (ProviderSimulator simulator = ProviderSimulator.start(options)) {
			Disposable call = chatRequest(simulator, "four").subscribe();
			await(() -> simulator.ledger().accepted() == 1);
			call.dispose();
			await(() -> !simulator.ledger().lastCompleted().isZero());
		}
	}

	private static void await(BooleanSupplier condition) {
		Flux.interval(Duration.ofMillis(5)).filter((tick) -> condition.getAsBoolean()).blockFirst(TIMEOUT);
	}

	@Test
	void embedsSeveralTexts() {
		try (ProviderSimulator simulator = ProviderSimulator.start()) {
			JsonNode answer = client(simulator).post()
				.uri("/v1/embeddings")
				.bodyValue(Map.of("model", "e", "input", List.of("four", "fives")))
				.retrieve()
				.bodyToMono(JsonNode.class)
				.block(TIMEOUT);
			assertThat(answer).isNotNull();
			assertThat(answer.path("data").size()).isEqualTo(2);
			assertThat(answer.path("usage").toString()).isEqualTo("{\"prompt_tokens\":3,\"total_tokens\":3}");
		}
	}

	@Test
	void echoesForVendorsWithoutTokens() {
		SimulatorOptions options = SimulatorOptions.builder().requestsPerMinute(1).tokensPerMinute(1).build();
		try (ProviderSimulator simulator = ProviderSimulator.start(options)) {
			WebClient.RequestHeadersSpec<?> ping = client(simulator).delete().uri("/simulator/echo/payments/7?x=y");
			assertThat(ping.retrieve().bodyToMono(String.class).block(TIMEOUT)).isEqualTo("{\"ok\":true}");
			assertThat(status(ping)).isEqualTo(429);
			assertThat(simulator.ledger().tokensCharged()).isZero();
		}
	}

	@Test
	void showsItsLedger() {
		try (ProviderSimulator simulator = ProviderSimulator.start()) {
			chat(simulator, "four");
			JsonNode ledger = client(simulator).get()
				.uri("/simulator/ledger")
				.retrieve()
				.bodyToMono(JsonNode.class)
				.block(TIMEOUT);
			assertThat(ledger).isNotNull();
			assertThat(ledger.path("accepted").asInt()).isEqualTo(1);
			assertThat(ledger.path("refused").asInt()).isZero();
			assertThat(Duration.parse(ledger.path("lastCompleted").asString())).isPositive();
			assertThat(ledger.path("arrivalsPerSecond").size()).isPositive();
		}
	}

	@Test
	void refusesWhatItDoesNotUnderstand() {
		try (ProviderSimulator simulator = ProviderSimulator.start()) {
			assertThat(status(client(simulator).get().uri("/v1/models"))).isEqualTo(404);
			assertThat(status(client(simulator).get().uri("/v1/chat/completions"))).isEqualTo(404);
			assertThat(status(client(simulator).post()
				.uri("/v1/chat/completions")
				.contentType(MediaType.APPLICATION_JSON)
				.bodyValue("{"))).isEqualTo(400);
			assertThat(simulator.ledger().arrivals()).isZero();
		}
	}

	@Test
	void changesItsLimitsWhileItRuns() {
		try (ProviderSimulator simulator = ProviderSimulator.start()) {
			assertThat(chat(simulator, "four").getStatusCode().value()).isEqualTo(200);
			simulator.changeLimits((options) -> options.tokensPerMinute(3));
			assertThat(chat(simulator, "four").getStatusCode().value()).isEqualTo(429);
		}
	}

	private static int status(WebClient.RequestHeadersSpec<?> request) {
		Integer status = request
			.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()))
			.block(TIMEOUT);
		assertThat(status).isNotNull();
		return status;
	}

	private static ResponseEntity<JsonNode> chat(ProviderSimulator simulator, String prompt) {
		ResponseEntity<JsonNode> answer = chatRequest(simulator, prompt).block(TIMEOUT);
		assertThat(answer).isNotNull();
		return answer;
	}

	private static Mono<ResponseEntity<JsonNode>> chatRequest(ProviderSimulator simulator, String prompt) {
		return client(simulator).post()
			.uri("/v1/chat/completions")
			.bodyValue(Map.of("model", "m", "messages", List.of(Map.of("role", "user", "content", prompt))))
			.exchangeToMono((response) -> response.toEntity(JsonNode.class));
	}

	private static Flux<String> stream(ProviderSimulator simulator) {
		return client(simulator).post()
			.uri("/v1/chat/completions")
			.bodyValue(Map.of("model", "m", "stream", true, "stream_options", Map.of("include_usage", true), "messages",
					List.of(Map.of("role", "user", "content", "four"))))
			.retrieve()
			.bodyToFlux(new ParameterizedTypeReference<ServerSentEvent<String>>() {
			})
			.mapNotNull(ServerSentEvent::data);
	}

	private static WebClient client(ProviderSimulator simulator) {
		return WebClient.create(simulator.baseUrl());
	}

}
