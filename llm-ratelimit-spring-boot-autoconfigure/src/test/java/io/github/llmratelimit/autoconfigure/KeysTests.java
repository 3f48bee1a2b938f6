package io.github.llmratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.KeyPool;
import io.github.llmratelimit.KeyPool.Selection;
import io.github.llmratelimit.LlmAccountResolver;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.actuate.RateLimitEndpoint;
import io.github.llmratelimit.provider.KeyRing;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.webclient.LlmRateLimitWebClientCustomizer;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Keys in the properties, and that none is ever shown.
 */
@ExtendWith(OutputCaptureExtension.class)
class KeysTests {

	private static final String SECRET = "s3cr3t-one";

	private static final String OTHER_SECRET = "s3cr3t-two";

	private static final String OPENAI = "llm.ratelimit.providers.openai.";

	private final VirtualTime time = new VirtualTime();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
				LlmRateLimitWebClientAutoConfiguration.class, LlmRateLimitMetricsAutoConfiguration.class,
				LlmRateLimitEndpointAutoConfiguration.class, EnvironmentEndpointAutoConfiguration.class,
				ConfigurationPropertiesReportEndpointAutoConfiguration.class))
		.withBean(TimeSource.class, () -> this.time)
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(RetryRegistry.class, RetryRegistry::ofDefaults)
		.withPropertyValues("management.endpoints.web.exposure.include=*", "management.endpoint.env.show-values=always",
				"management.endpoint.configprops.show-values=always", "logging.level.io.github.llmratelimit=trace",
				OPENAI + "keys[0].id=a", OPENAI + "keys[0].value=" + SECRET, OPENAI + "keys[0].account=team-a",
				OPENAI + "keys[1].id=b", OPENAI + "keys[1].value=" + OTHER_SECRET, OPENAI + "keys[1].account=team-b",
				OPENAI + "limits.requests-per-minute=10");

	@Test
	void readsKeysAndTheirAccounts() {
		ProviderSettings settings = settings("""
				defaults: {key-selection: random, override-key: true}
				providers:
				  openai:
				    limits: {requests-per-minute: 10}
				    accounts: {team-b: {limits: {requests-per-minute: 20}}}
				    keys:
				      - {id: a, value: "v-a\\n"}
				      - {id: b, value: v-b, account: team-b}
				      - {id: c, value: v-c, account: team-c}
				""");
		KeyPool pool = settings.plan().keys();
		assertThat(pool.accounts()).containsExactly(Map.entry("a", "default"), Map.entry("b", "team-b"),
				Map.entry("c", "team-c"));
		assertThat(pool.selection()).isEqualTo(Selection.RANDOM);
		assertThat(pool.random().getAsDouble()).isBetween(0.0, 1.0);
		assertThat(settings.plan().accounts().keySet()).containsExactly("default", "team-b", "team-c");
		assertThat(settings.plan().accounts().values()).extracting((plan) -> plan.limits().get(0).amount())
			.containsExactly(10L, 20L, 10L);
		KeyRing ring = settings.provider().keys();
		assertThat(ring.valueOf("a")).isEqualTo("v-a");
		assertThat(ring.accountOf("v-c")).isEqualTo("team-c");
		assertThat(ring.isOverriding()).isTrue();
	}

	@Test
	void spreadsNothingWithoutKeys() {
		ProviderSettings settings = settings("providers: {openai: {limits: {requests-per-minute: 10}}}");
		assertThat(settings.plan().keys().isEmpty()).isTrue();
		assertThat(settings.plan().keys().selection()).isEqualTo(Selection.LEAST_WAIT);
		assertThat(settings.provider().keys().isEmpty()).isTrue();
		assertThat(settings.provider().keys().isOverriding()).isFalse();
		assertThat(settings.plan().scopeOf(LlmCall.to("openai")).account()).isEqualTo(ProviderPlan.DEFAULT_ACCOUNT);
	}

	@ParameterizedTest
	@MethodSource
	void namesWhatIsWrongButShowsNoKey(String keys, String property, String reason) {
		InvalidPropertiesException failure = catchThrowableOfType(InvalidPropertiesException.class,
				() -> settings("providers: {openai: {keys: [%s]}}".formatted(keys)));
		assertThat(failure.properties()).singleElement().satisfies((problem) -> {
			assertThat(problem.name()).hasToString(OPENAI + property);
			assertThat(problem.reason()).contains(reason);
			assertThat(problem.toString()).doesNotContain(SECRET);
		});
		assertThat(failure.toString()).doesNotContain(SECRET);
	}

	static Stream<Arguments> namesWhatIsWrongButShowsNoKey() {
		String valid = "{id: a, value: %s}".formatted(SECRET);
		return Stream.of(arguments("{value: %s}".formatted(SECRET), "keys[0].id", "must be set to a name"),
				arguments(SECRET, "keys[0].id", "must be set to a name"),
				arguments("{id: ' ', value: %s}".formatted(SECRET), "keys[0].id", "must be set to a name"),
				arguments("{id: '*', value: %s}".formatted(SECRET), "keys[0].id", "must be set to a name"),
				arguments("{id: %1$s, value: %1$s}".formatted(SECRET), "keys[0].id", "must not be the key itself"),
				arguments(valid + ", {id: a, value: x}", "keys[1].id", "is the id of another key"),
				arguments("{id: a}", "keys[0].value", "must be set"),
				arguments("{id: a, value: ' '}", "keys[0].value", "must be set"),
				arguments("{id: a, value: \"%s\\nx\"}".formatted(SECRET), "keys[0].value", "no header may have"),
				arguments("{id: a, value: %s…}".formatted(SECRET), "keys[0].value", "no header may have"),
				arguments(valid + ", {id: b, value: '%s '}".formatted(SECRET), "keys[1].value",
						"is the same as that of the key a"),
				arguments("{id: a, value: %s, account: '*'}".formatted(SECRET), "keys[0].account", "of an account"),
				arguments("{id: a, value: %s, account: ''}".formatted(SECRET), "keys[0].account", "of an account"));
	}

	@Test
	void givesNoProviderTheKeysOfAll() {
		InvalidPropertiesException failure = catchThrowableOfType(InvalidPropertiesException.class, () -> settings("""
				defaults: {keys: [{id: a, value: x}]}
				providers: {openai: {}}
				"""));
		assertThat(failure.properties()).singleElement().satisfies((problem) -> {
			assertThat(problem.name()).hasToString("llm.ratelimit.defaults.keys");
			assertThat(problem.reason()).contains("would be sent to every provider");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "keys=" + SECRET, "keys[0]=" + SECRET, "keys[0].valeu=" + SECRET,
			"keys[0].value[0]=" + SECRET, "keys.a=" + SECRET, "keys[1].value=" + SECRET, "keys[0].value.a=" + SECRET })
	void showsNoKeyThatIsWrittenWrongly(String property, CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
				.run("--" + OPENAI + property)
				.close())
			.satisfies((failure) -> assertThat(failure.getMessage()).doesNotContain(SECRET));
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain(SECRET);
	}

	@Test
	void spreadsCallsAmongKeys() {
		SimulatedExchange provider = provider(SimulatorOptions.builder().requestsPerMinute(10));
		this.runner.run((context) -> {
			WebClient client = client(context, provider);
			for (int i = 0; i < 18; i++) {
				assertThat(call(client).block()).isEqualTo(200);
			}
			assertThat(provider.ledger().refused()).isZero();
			assertThat(provider.ledger().highestRequestsInWindow()).isEqualTo(9);
		});
	}

	@Test
	void asksOwnResolverForTheAccountOfACall() {
		this.runner.withBean(LlmAccountResolver.class, () -> (call, context) -> "team-b").run((context) -> {
			LlmRateLimiter limiter = context.getBean(LlmRateLimiter.class);
			assertThat(limiter.acquire(LlmCall.to("openai")).block().key()).isEqualTo("b");
		});
		this.runner.withBean(LlmAccountResolver.class, () -> (call, context) -> "nobody")
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(LlmRateLimiter.class).acquire(LlmCall.to("openai")).block())
				.withMessageContaining("account: nobody (expected: one of [default, team-a, team-b])"));
	}

	@Test
	void fallsBackWhereNoKeyIsLeft() {
		SimulatedExchange provider = provider(SimulatorOptions.builder().revokeKey(SECRET).revokeKey(OTHER_SECRET));
		this.runner.withBean(LlmFallback.class, () -> (refused) -> Mono.just(FallbackAnswer.json("{}")))
			.run((context) -> {
				WebClient client = client(context, provider);
				assertThat(call(client).block()).isEqualTo(401);
				assertThat(call(client).block()).isEqualTo(200);
				assertThat(provider.ledger().arrivals()).isEqualTo(2);
			});
	}

	@Test
	void showsKeysByTheirIdsAlone(CapturedOutput output) {
		SimulatedExchange provider = provider(SimulatorOptions.builder().revokeKey(SECRET).revokeKey(OTHER_SECRET));
		this.runner.run((context) -> {
			List<Object> seen = new ArrayList<>();
			context.getBean(RetryRegistry.class)
				.getEventPublisher()
				.onEntryAdded((added) -> added.getAddedEntry().getEventPublisher().onEvent(seen::add));
			context.getBean(RetryRegistry.class).getAllRetries().forEach((retry) -> listen(retry, seen));
			WebClient client = client(context, provider);
			assertThat(call(client).block()).isEqualTo(401);
			seen.add(catchThrowableOfType(RuntimeException.class, () -> call(client).block()));
			seen.add(context.getBean(ProviderRegistry.class).providers());
			seen.add(context.getBean(ConfiguredProviders.class));
			seen.add(context.getBean(LlmRateLimitProperties.class));
			seen.add(context.getBean(LlmRateLimiter.class).snapshot().blockLast());
			context.getBean(MeterRegistry.class).getMeters().forEach((meter) -> seen.add(meter.getId()));
			seen.add(json(context.getBean(ConfigurationPropertiesReportEndpoint.class).configurationProperties()));
			seen.add(json(context.getBean(EnvironmentEndpoint.class).environment("llm.*")));
			String endpoint = json(context.getBean(RateLimitEndpoint.class).providers());
			assertThat(endpoint).contains("{\"id\":\"a\",\"state\":\"OUT_OF_SERVICE\"}");
			seen.add(endpoint);
			assertThat(seen).hasSizeGreaterThan(10);
			assertThat(seen).allSatisfy((thing) -> assertThat(thing.toString()).doesNotContain("s3cr3t"));
		});
		assertThat(output).contains("keys [a] of account team-a").doesNotContain("s3cr3t");
	}

	private static void listen(Retry retry, List<Object> events) {
		retry.getEventPublisher().onEvent(events::add);
	}

	private static String json(Object value) {
		return JsonMapper.builder().build().writeValueAsString(value);
	}

	private SimulatedExchange provider(SimulatorOptions.Builder options) {
		return new SimulatedExchange(options.account(SECRET, "a").account(OTHER_SECRET, "b").build(),
				this.time.scheduler());
	}

	private static WebClient client(AssertableApplicationContext context, SimulatedExchange provider) {
		WebClient.Builder builder = WebClient.builder().exchangeFunction(provider);
		context.getBean(LlmRateLimitWebClientCustomizer.class).customize(builder);
		return builder.build();
	}

	private static Mono<Integer> call(WebClient client) {
		return client.post()
			.uri("https://api.openai.com/v1/chat/completions")
			.bodyValue(Map.of("model", "m", "messages", List.of(Map.of("role", "user", "content", "Hello"))))
			.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()));
	}

	private static ProviderSettings settings(String yaml) {
		KnownDialects dialects = KnownDialects.of(Stream.empty());
		LlmRateLimitProperties properties = YamlProperties.bind(yaml);
		new PropertiesValidator(dialects).validate(properties);
		return new SettingsFactory(dialects).create(properties).get(0);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LlmRateLimitAutoConfiguration.class)
	static class Application {

	}

}
