package io.github.llmratelimit.webclient;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.KeyPool;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.KeyPlace;
import io.github.llmratelimit.provider.KeyRing;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * With which keys requests reach a simulated provider, which knows the accounts of keys
 * and may have revoked some. The key {@code a} has the value {@code v-a} and belongs to
 * the account {@code of-a}, and so on.
 */
class RequestKeysTests {

	private static final URI BASE_URL = URI.create("https://llm.example");

	private final VirtualTime time = new VirtualTime();

	private final List<LevelChange> changes = new ArrayList<>();

	private final List<ClientRequest> sent = new ArrayList<>();

	private final List<Object> results = new ArrayList<>();

	private SimulatedExchange provider;

	private AdmissionController limiter;

	private WebClient client;

	@Test
	void usesTheQuotaOfAllKeysAndExceedsNone() {
		start(SimulatorOptions.builder()
			.requestsPerMinute(10)
			.networkDelay(Delay.uniform(Duration.ofMillis(10), Duration.ofMillis(60))), 10, false, "a", "b", "c", "d");
		call(80);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.results).hasSize(40).containsOnly(200);
		this.time.advance(Duration.ofSeconds(61));
		assertThat(this.results).hasSize(80).containsOnly(200);
		assertThat(this.provider.ledger().refused()).isZero();
		assertThat(this.provider.ledger().highestRequestsInWindow()).isEqualTo(10);
		for (String key : List.of("a", "b", "c", "d")) {
			assertThat(authorizations()).filteredOn(("Bearer v-" + key)::equals).hasSize(20);
		}
	}

	@ParameterizedTest
	@MethodSource
	void putsTheKeyWhereTheDialectSays(ProviderDialect dialect, String path, String header, String value) {
		start(SimulatorOptions.builder(), dialect, 1000, false, "a");
		post(path, (headers) -> {
		});
		assertThat(this.sent).singleElement().satisfies((request) -> {
			assertThat(request.headers().getFirst(header)).isEqualTo(value);
			assertThat(request.url().toString()).doesNotContain("v-a");
			assertThat(request.headers().toString().split("v-a", -1)).hasSize(2);
		});
	}

	static Stream<Arguments> putsTheKeyWhereTheDialectSays() {
		return Stream.of(arguments(Dialects.named("openai"), "/v1/chat/completions", "Authorization", "Bearer v-a"),
				arguments(Dialects.named("anthropic"), "/v1/messages", "x-api-key", "v-a"),
				arguments(Dialects.named("azure-openai"), "/openai/deployments/d/chat/completions", "api-key", "v-a"),
				arguments(Dialects.named("gemini"), "/v1beta/models/m:generateContent", "x-goog-api-key", "v-a"),
				arguments(Dialects.named("gemini"), "/v1beta/openai/chat/completions", "Authorization", "Bearer v-a"));
	}

	@Test
	void putsTheKeyIntoTheQueryWhereTheDialectSaysSo() {
		DialectTable acme = DialectTable.named("acme").key(KeyPlace.queryParameter("token")).build();
		start(SimulatorOptions.builder(), acme, 1000, true, "a");
		post("/simulator/echo?x=1&token=mine", (headers) -> {
		});
		assertThat(this.sent).singleElement()
			.extracting(ClientRequest::url)
			.isEqualTo(URI.create(BASE_URL + "/simulator/echo?x=1&token=v-a"));
	}

	@ParameterizedTest
	@CsvSource({ "Bearer v-b, of-b", "Bearer unknown, default", "Basic abc, default" })
	void keepsTheCallersOwnKeyAndCountsItInItsAccount(String own, String account) {
		start(SimulatorOptions.builder(), 1000, false, "a", "b");
		post("/v1/chat/completions", (headers) -> headers.header("Authorization", own));
		assertThat(authorizations()).containsExactly(own);
		this.limiter.snapshot()
			.blockLast()
			.accounts()
			.forEach((name, level) -> assertThat(level.limits().get(0).used()).as(name)
				.isEqualTo(name.equals(account) ? 1 : 0));
	}

	@Test
	void countsAnUnknownKeyInTheAccountThatTheRequestNames() {
		start(SimulatorOptions.builder(), 1000, false, "a", "b");
		post("/v1/chat/completions", (headers) -> headers.header("Authorization", "Bearer mine")
			.attributes(LlmRateLimitAttributes.account("of-b")));
		assertThat(authorizations()).containsExactly("Bearer mine");
		assertThat(this.limiter.snapshot().blockLast().accounts().get("of-b").limits().get(0).used()).isOne();
	}

	@Test
	void replacesTheCallersOwnKeyIfAskedTo() {
		start(SimulatorOptions.builder(), 1000, true, "a");
		post("/v1/chat/completions", (headers) -> headers.header("Authorization", "Bearer mine"));
		assertThat(authorizations()).containsExactly("Bearer v-a");
	}

	@Test
	void usesTheKeyOrTheAccountThatARequestNames() {
		start(SimulatorOptions.builder(), 1000, false, "a", "b");
		for (int i = 0; i < 3; i++) {
			post("/v1/chat/completions", (headers) -> headers.header("Authorization", "Bearer mine")
				.attributes(LlmRateLimitAttributes.key("b")));
			post("/v1/chat/completions", (headers) -> headers.attributes(LlmRateLimitAttributes.account("of-a")));
		}
		assertThat(authorizations()).containsExactly("Bearer v-b", "Bearer v-a", "Bearer v-b", "Bearer v-a",
				"Bearer v-b", "Bearer v-a");
	}

	@Test
	void sendsRequestsAsTheyAreWithoutAPool() {
		start(SimulatorOptions.builder(), 1000, false);
		post("/v1/chat/completions", (headers) -> headers.header("Authorization", "Bearer mine"));
		post("/v1/chat/completions", (headers) -> {
		});
		assertThat(authorizations()).containsExactly("Bearer mine", null);
	}

	@Test
	void sendsACallAgainWithAnotherKeyIfItsKeyIsRevoked() {
		start(SimulatorOptions.builder().revokeKey("v-a"), 1000, false, "a", "b");
		call(10);
		assertThat(this.results).hasSize(10).containsOnly(200);
		assertThat(this.provider.ledger().unauthorized()).isOne();
		assertThat(this.changes).extracting(LevelChange::key, LevelChange::state)
			.containsExactly(tuple("a", State.OUT_OF_SERVICE));
		this.provider.changeLimits((options) -> options.restoreKey("v-a"));
		this.time.advance(Duration.ofMinutes(10));
		call(10);
		assertThat(this.results).hasSize(20).containsOnly(200);
		assertThat(this.changes).extracting(LevelChange::key, LevelChange::state)
			.containsExactly(tuple("a", State.OUT_OF_SERVICE), tuple("a", State.OPEN));
		assertThat(authorizations().subList(11, 21)).contains("Bearer v-a");
	}

	@Test
	void replacesAKeyOnlyOnce() {
		start(SimulatorOptions.builder().revokeKey("v-a").revokeKey("v-b"), 1000, false, "a", "b", "c");
		call(1);
		assertThat(this.results).containsExactly(401);
		assertThat(authorizations()).containsExactly("Bearer v-a", "Bearer v-b");
		call(1);
		assertThat(this.results).containsExactly(401, 200);
	}

	@Test
	void handsOnTheProvidersAnswerIfThereIsNoOtherKey() {
		start(SimulatorOptions.builder().revokeKey("v-a"), 1000, false, "a");
		call(2);
		assertThat(this.results).hasSize(2).first().isEqualTo(401);
		assertThat(this.results.get(1)).isInstanceOfSatisfying(LlmRateLimitException.class, (failure) -> {
			assertThat(failure.reason()).isEqualTo(Reason.NO_KEY);
			assertThat(failure.getMessage()).doesNotContain("v-a");
		});
		assertThat(this.provider.ledger().unauthorized()).isOne();
	}

	@Test
	void doesNotReplaceAKeyThatTheRequestNames() {
		start(SimulatorOptions.builder().revokeKey("v-a"), 1000, false, "a", "b");
		post("/v1/chat/completions", (headers) -> headers.attributes(LlmRateLimitAttributes.key("a")));
		assertThat(this.results).containsExactly(401);
		assertThat(authorizations()).containsExactly("Bearer v-a");
	}

	@ParameterizedTest
	@CsvSource({ "v-a", "mine" })
	void takesNoKeyOutOfServiceThatTheCallerHasSet(String own) {
		start(SimulatorOptions.builder().revokeKey(own), 1000, false, "a", "b");
		post("/v1/chat/completions", (headers) -> headers.header("Authorization", "Bearer " + own));
		assertThat(this.results).containsExactly(401);
		assertThat(this.provider.ledger().arrivals()).isOne();
		assertThat(this.changes).isEmpty();
	}

	@Test
	void namesNoKeyToAnotherProvider() {
		Map<String, Object> attributes = new LinkedHashMap<>();
		LlmRateLimitAttributes.key("a").accept(attributes);
		LlmRateLimitAttributes.account("of-a").accept(attributes);
		LlmRateLimitAttributes.providerOfUrl().accept(attributes);
		assertThat(attributes).isEmpty();
	}

	@Test
	void changesTheKeyWhenAnAccountRefuses() {
		start(SimulatorOptions.builder().requestsPerMinute(5), 6, false, "a", "b");
		call(12);
		this.time.advance(Duration.ofMinutes(3));
		assertThat(this.results).hasSize(12).containsOnly(200);
		assertThat(this.provider.ledger().highestRequestsInWindow()).isEqualTo(5);
	}

	private void start(SimulatorOptions.Builder options, long requestsPerMinute, boolean override, String... keys) {
		start(options, Dialects.named("openai"), requestsPerMinute, override, keys);
	}

	private void start(SimulatorOptions.Builder options, ProviderDialect dialect, long requestsPerMinute,
			boolean override, String... keys) {
		Map<String, String> accounts = new LinkedHashMap<>();
		List<KeyRing.Key> ring = new ArrayList<>();
		for (String key : keys) {
			accounts.put(key, "of-" + key);
			ring.add(new KeyRing.Key(key, "v-" + key, "of-" + key));
			options.account("v-" + key, "of-" + key);
		}
		this.provider = new SimulatedExchange(options.build(), this.time.scheduler());
		Provider provider = new Provider("llm", dialect, List.of(BASE_URL)).withKeys(new KeyRing(ring, override));
		LlmCallPipeline pipeline = pipeline(plan(requestsPerMinute, accounts));
		WebClient.Builder builder = WebClient.builder().baseUrl(BASE_URL.toString()).exchangeFunction((request) -> {
			this.sent.add(request);
			return this.provider.exchange(request);
		});
		new LlmRateLimitWebClientCustomizer(
				new LlmRateLimitFilter(new LlmExchanges(new ProviderRegistry(List.of(provider)), pipeline,
						new CallEstimator(new HeuristicTokenEstimator(), List.of(), Map.of()), this.time, Map.of())))
			.customize(builder);
		this.client = builder.build();
	}

	private static ProviderPlan plan(long requestsPerMinute, Map<String, String> keys) {
		LimitPlan limits = LimitPlan.of(
				Limit
					.of("requests-per-minute", Counted.REQUESTS, requestsPerMinute, Duration.ofMinutes(1),
							LimitAlgorithm.SLIDING_WINDOW)
					.withSlack(Duration.ofSeconds(1)));
		Map<String, LimitPlan> accounts = new LinkedHashMap<>();
		accounts.put(ProviderPlan.DEFAULT_ACCOUNT, limits);
		keys.values().forEach((account) -> accounts.put(account, limits));
		return ProviderPlan.of("llm", limits)
			.withAccounts(accounts)
			.withKeys(new KeyPool(keys, KeyPool.Selection.LEAST_WAIT, () -> 0));
	}

	private LlmCallPipeline pipeline(ProviderPlan plan) {
		List<RateLimitListener> listeners = List.of(new RateLimitListener() {

			@Override
			public void onLevelChanged(LevelChange change) {
				RequestKeysTests.this.changes.add(change);
			}

		});
		this.limiter = new AdmissionController(List.of(plan), new LocalLimitStore(this.time), this.time, listeners);
		return new LlmCallPipeline(this.limiter, Map.of("llm", new RetryPolicy(4, Backoff.DEFAULT, () -> 0.5)),
				this.time, listeners);
	}

	private List<String> authorizations() {
		return this.sent.stream().map((request) -> request.headers().getFirst("Authorization")).toList();
	}

	private void call(int times) {
		for (int i = 0; i < times; i++) {
			post("/v1/chat/completions", (request) -> {
			});
		}
	}

	private void post(String path, Consumer<WebClient.RequestBodySpec> options) {
		WebClient.RequestBodySpec request = this.client.post().uri(path);
		options.accept(request);
		request
			.bodyValue(Map.of("model", "m", "max_tokens", 10, "messages",
					List.of(Map.of("role", "user", "content", "Hello"))))
			.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()))
			.subscribe(this.results::add, this.results::add);
	}

}
