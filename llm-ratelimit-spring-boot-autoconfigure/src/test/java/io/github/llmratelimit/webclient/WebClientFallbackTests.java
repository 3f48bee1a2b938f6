package io.github.llmratelimit.webclient;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.RefusedCall;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
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
import io.github.resilience4j.retry.RetryRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Fallbacks of calls of a {@link WebClient}: a default, a stale answer, another model,
 * another provider.
 */
class WebClientFallbackTests {

	private static final String OPENAI = "https://api.openai.com/v1/chat/completions";

	private static final URI DEEPSEEK = URI.create("https://api.deepseek.com/chat/completions");

	private static final String CHAT = """
			{"model":"gpt-5.1","max_tokens":400,"messages":[{"role":"user","content":"Which \\"model\\"?"}]}""";

	private static final String REFUSED = "{\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"Slow down\"}}";

	private static final String ANSWER = "{\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":5}}";

	private final VirtualTime time = new VirtualTime();

	private final RecordedCalls events = new RecordedCalls();

	private final ScriptedProvider network = new ScriptedProvider();

	private final AdmissionController limiter = new AdmissionController(List.of(plan("openai"), plan("deepseek")),
			new LocalLimitStore(this.time), this.time, List.of(this.events));

	private final List<LlmFallback> fallbacks = new ArrayList<>();

	@Test
	void givesADefaultThatSaysWhatItIs() {
		this.network.answer(429, REFUSED, "retry-after", "300");
		this.fallbacks.add((refused) -> Mono.just(FallbackAnswer.json("{\"choices\":[\"later\"]}")));
		ResponseEntity<String> response = chat(OPENAI);
		assertThat(response.getStatusCode().value()).isEqualTo(200);
		assertThat(response.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
		assertThat(response.getHeaders().getFirst(LlmFallback.HEADER)).isEqualTo("WAIT_TOO_LONG");
		assertThat(response.getBody()).isEqualTo("{\"choices\":[\"later\"]}");
	}

	@Test
	void givesAStaleAnswerToTheSameQuestion() {
		Map<String, String> answers = new ConcurrentHashMap<>(Map.of(CHAT, ANSWER));
		this.fallbacks.add((refused) -> Mono.justOrEmpty(answers.get(refused.body())).map(FallbackAnswer::json));
		this.network.answer(429, REFUSED, "retry-after", "300");
		assertThat(chat(OPENAI).getBody()).isEqualTo(ANSWER);
	}

	@Test
	void tellsWhatIsKnownOfTheRequest() {
		List<RefusedCall> asked = new ArrayList<>();
		this.fallbacks.add((refused) -> {
			asked.add(refused);
			return Mono.empty();
		});
		this.network.answer(429, REFUSED, "retry-after", "300");
		assertThat(chat(OPENAI).getStatusCode().value()).isEqualTo(429);
		assertThat(asked).singleElement().satisfies((refused) -> {
			assertThat(refused.call().model()).isEqualTo("gpt-5.1");
			assertThat(refused.url()).hasToString(OPENAI);
			assertThat(refused.body()).isEqualTo(CHAT);
			assertThat(refused.attributes()).containsEntry("tenant", "acme");
		});
	}

	@Test
	void givesAStreamOfEvents() {
		this.network.answer(429, REFUSED, "retry-after", "300");
		byte[] events = "data: {\"choices\":[]}\n\ndata: [DONE]\n\n".getBytes(StandardCharsets.UTF_8);
		this.fallbacks.add((refused) -> Mono.just(FallbackAnswer.response(200, "text/event-stream", events)));
		assertThat(request(client(), OPENAI).retrieve()
			.bodyToFlux(String.class)
			.collectList()
			.block(Duration.ofSeconds(5))).containsExactly("{\"choices\":[]}", "[DONE]");
	}

	@Test
	void asksAnotherModelOfTheSameProviderWithTheSameKey() {
		this.limiter.acquire(LlmCall.to("openai").withModel("gpt-5.1")).subscribe();
		this.network.answer(200, ANSWER);
		this.fallbacks.add(LlmFallback.forProvider("openai", (refused) -> Mono.just(FallbackAnswer.askModel("small"))));
		ResponseEntity<String> response = chat(OPENAI);
		assertThat(response.getBody()).isEqualTo(ANSWER);
		assertThat(response.getHeaders().getFirst(LlmFallback.HEADER)).isEqualTo("WAIT_TOO_LONG");
		ScriptedProvider.Sent sent = this.network.sent.get(0);
		assertThat(sent.body()).isEqualTo(CHAT.replace("gpt-5.1", "small"));
		assertThat(sent.headers().getContentLength()).isEqualTo(sent.body().length());
		assertThat(sent.headers().getFirst(HttpHeaders.AUTHORIZATION)).isEqualTo("Bearer openai-key");
		assertThat(this.events.admitted()).extracting((permit) -> permit.call().model())
			.containsExactly("gpt-5.1", "small");
	}

	@Test
	void sendsTheRequestToAnotherProviderUnderAPermitOfIts() {
		this.network.answer(429, REFUSED, "retry-after", "300").answer(200, ANSWER);
		this.fallbacks.add((refused) -> Mono.just(toDeepSeek()));
		assertThat(chat(OPENAI, LlmRateLimitAttributes.maxWait(Duration.ofSeconds(20))).getBody()).isEqualTo(ANSWER);
		assertThat(this.events.admitted()).extracting((permit) -> permit.scope().provider())
			.containsExactly("openai", "deepseek");
		assertThat(this.events.admitted().get(1).call().maxWait()).isEqualTo(Duration.ofSeconds(20));
		assertThat(this.events.completed().get(1).usage().total()).isEqualTo(12);
	}

	@Test
	void sendsNoSecretToAnotherHost() {
		this.network.answer(429, REFUSED, "retry-after", "300").answer(200, ANSWER);
		this.fallbacks.add((refused) -> Mono.just(toDeepSeek()));
		chat(OPENAI);
		ScriptedProvider.Sent sent = this.network.sent.get(1);
		assertThat(sent.body()).isEqualTo(CHAT.replace("gpt-5.1", "deepseek-chat"));
		assertThat(sent.headers().headerNames()).containsExactlyInAnyOrder("Accept", "Content-Type", "Content-Length",
				"Authorization");
		assertThat(sent.headers().getFirst(HttpHeaders.AUTHORIZATION)).isEqualTo("Bearer deepseek-key");
		assertThat(sent.headers().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
		assertThat(toDeepSeek().toString()).contains("deepseek-chat").doesNotContain("deepseek-key");
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 401, 429, 500 })
	void asksTheNextIfTheOtherProviderAnswersAnError(int status) {
		this.network.answer(429, REFUSED, "retry-after", "300").answer(status, REFUSED, "retry-after", "3000");
		this.fallbacks.add((refused) -> Mono.just(toDeepSeek()));
		this.fallbacks.add((refused) -> Mono.just(FallbackAnswer.json("last")));
		assertThat(chat(OPENAI).getBody()).isEqualTo("last");
		assertThat(inFlight("deepseek")).isZero();
	}

	@Test
	void doesNotComeBackFromTheOtherProvider() {
		this.network.answer(429, REFUSED, "retry-after", "300").answer(429, REFUSED, "retry-after", "300");
		this.fallbacks.add(LlmFallback.forProvider("openai", (refused) -> Mono.just(toDeepSeek())));
		this.fallbacks.add(
				LlmFallback.forProvider("deepseek", (refused) -> Mono.just(FallbackAnswer.sendTo(URI.create(OPENAI)))));
		ResponseEntity<String> response = chat(OPENAI);
		assertThat(response.getStatusCode().value()).isEqualTo(429);
		assertThat(response.getBody()).isEqualTo(REFUSED);
		assertThat(response.getHeaders().headerNames()).doesNotContain(LlmFallback.HEADER);
		assertThat(this.network.sent).hasSize(2);
	}

	@Test
	void cannotNameAnotherModelWhereTheBodyNamesNone() {
		useUpTheLimit();
		this.fallbacks.add((refused) -> Mono.just(FallbackAnswer.askModel("small")));
		assertThatExceptionOfType(LlmRateLimitException.class)
			.isThrownBy(() -> client().get().uri(OPENAI).retrieve().toEntity(String.class).block(Duration.ofSeconds(5)))
			.satisfies((refusal) -> {
				assertThat(refusal.reason()).isEqualTo(Reason.WAIT_TOO_LONG);
				assertThat(refusal.getSuppressed()).anySatisfy(
						(failure) -> assertThat(failure).hasMessageContaining("names no model that could be replaced"));
			});
	}

	@Test
	void sendsARequestWithoutBodyElsewhere() {
		useUpTheLimit();
		this.network.answer(200, "models");
		this.fallbacks.add((refused) -> Mono.just(FallbackAnswer.sendTo(URI.create("https://example.org/models"))));
		ResponseEntity<String> response = client().get()
			.uri(OPENAI)
			.attributes(LlmRateLimitAttributes.provider("openai"))
			.retrieve()
			.toEntity(String.class)
			.block(Duration.ofSeconds(5));
		assertThat(response.getBody()).isEqualTo("models");
		assertThat(response.getHeaders().getFirst(LlmFallback.HEADER)).isEqualTo("WAIT_TOO_LONG");
	}

	@Test
	void endsThePermitOfTheOtherProviderIfTheCallIsCancelled() {
		this.network.answer(429, REFUSED, "retry-after", "300").neverAnswer();
		this.fallbacks.add((refused) -> Mono.just(toDeepSeek()));
		client().post()
			.uri(OPENAI)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(CHAT)
			.retrieve()
			.toBodilessEntity()
			.subscribe()
			.dispose();
		assertThat(this.network.sent).hasSize(2);
		assertThat(inFlight("deepseek")).isZero();
	}

	private static FallbackAnswer.Resend toDeepSeek() {
		return FallbackAnswer.sendTo(DEEPSEEK)
			.withModel("deepseek-chat")
			.withHeader("Authorization", "Bearer deepseek-key");
	}

	private void useUpTheLimit() {
		for (int i = 0; i < 100; i++) {
			this.limiter.acquire(LlmCall.to("openai")).subscribe();
		}
	}

	@SafeVarargs
	private ResponseEntity<String> chat(String url, Consumer<Map<String, Object>>... attributes) {
		WebClient.RequestHeadersSpec<?> request = request(client(), url);
		for (Consumer<Map<String, Object>> attribute : attributes) {
			request.attributes(attribute);
		}
		return request.exchangeToMono((response) -> response.toEntity(String.class)).block(Duration.ofSeconds(5));
	}

	private static WebClient.RequestHeadersSpec<?> request(WebClient client, String url) {
		return client.post()
			.uri(url)
			.accept(MediaType.APPLICATION_JSON)
			.header(HttpHeaders.AUTHORIZATION, "Bearer openai-key")
			.header("OpenAI-Organization", "org")
			.cookie("session", "secret")
			.attribute("tenant", "acme")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(CHAT);
	}

	private WebClient client() {
		RetryPolicy policy = new RetryPolicy(4, Backoff.DEFAULT, () -> 0.5);
		LlmCallPipeline pipeline = new LlmCallPipeline(this.limiter, Map.of("openai", policy, "deepseek", policy),
				RetryRegistry.ofDefaults(), this.time, List.of(), this.fallbacks);
		LlmRateLimitFilter filter = new LlmRateLimitFilter(
				new LlmExchanges(new ProviderRegistry(List.of(provider("openai"), provider("deepseek"))), pipeline,
						new CallEstimator(new HeuristicTokenEstimator(), List.of(), Map.of()), this.time, Map.of()));
		WebClient.Builder builder = WebClient.builder().exchangeFunction(this.network);
		new LlmRateLimitWebClientCustomizer(filter).customize(builder);
		return builder.build();
	}

	private static Provider provider(String name) {
		return new Provider(name, Dialects.named(name), List.of(URI.create("https://api." + name + ".com")));
	}

	private static ProviderPlan plan(String provider) {
		return ProviderPlan
			.of(provider, LimitPlan.of(perHour(100)),
					new ModelGroup("large", List.of("gpt-5*"), LimitPlan.of(perHour(1))))
			.withQueue(QueueRules.DEFAULT.withMaxWait(Duration.ofMinutes(1)));
	}

	private static Limit perHour(long requests) {
		return Limit.of("requests-per-hour", Counted.REQUESTS, requests, Duration.ofHours(1),
				LimitAlgorithm.SLIDING_WINDOW);
	}

	private int inFlight(String provider) {
		return this.limiter.snapshot()
			.filter((snapshot) -> snapshot.provider().equals(provider))
			.blockLast(Duration.ofSeconds(5))
			.accounts()
			.get("default")
			.inFlight();
	}

}
