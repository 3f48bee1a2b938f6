package io.github.llmratelimit.autoconfigure;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LimitSnapshot.Source;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.actuate.RateLimitEndpoint;
import io.github.llmratelimit.metrics.LevelGauges;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.simulator.dialect.SimulatedDialect;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.time.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for providers that nobody has configured: an application with nothing but the
 * starter, in virtual time.
 */
class KnownProviderTests {

	private static final String OPENAI = "https://api.openai.com/v1/chat/completions";

	private final VirtualTime time = new VirtualTime();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
				LlmRateLimitWebClientAutoConfiguration.class, LlmRateLimitEndpointAutoConfiguration.class,
				LlmRateLimitMetricsAutoConfiguration.class, WebClientAutoConfiguration.class))
		.withBean(TimeSource.class, () -> this.time)
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withPropertyValues("management.endpoints.web.exposure.include=ratelimit");

	@ParameterizedTest
	/* Anthropic runs buckets, the simulator only windows of requests. */
	@CsvSource({ "OPENAI, https://api.openai.com/v1/chat/completions, 0",
			"AZURE_OPENAI, https://mine.openai.azure.com/openai/deployments/gpt/chat/completions, 0",
			"ANTHROPIC, https://api.anthropic.com/v1/messages, 5" })
	void staysWithinTheLimitsItIsTold(SimulatedDialect dialect, String url, int refused) {
		SimulatedExchange provider = provider(SimulatorOptions.builder().dialect(dialect).requestsPerMinute(60));
		this.runner.run((context) -> {
			List<Integer> statuses = call(context.getBean(WebClient.Builder.class), provider, url, "gpt", 200);
			this.time.advance(Duration.ofMinutes(6));
			assertThat(statuses).hasSize(200).containsOnly(200);
			assertThat(provider.ledger().refused()).isLessThanOrEqualTo(refused);
			assertThat(provider.ledger().makespan()).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(4));
		});
	}

	@Test
	void tellsWhatItHasLearned() {
		SimulatedExchange provider = provider(
				SimulatorOptions.builder().requestsPerMinute(60).tokensPerMinute(100_000));
		this.runner.run((context) -> {
			context.getBean(LevelGauges.class).bindTo(context.getBean(MeterRegistry.class));
			assertThat(context.getBean(RateLimitEndpoint.class).providers().providers()).isEmpty();
			call(context.getBean(WebClient.Builder.class), provider, OPENAI, "gpt", 1);
			this.time.advance(Duration.ofSeconds(5));
			ProviderSnapshot openai = context.getBean(LlmRateLimiter.class).snapshot().blockLast();
			assertThat(openai.provider()).isEqualTo("openai");
			assertThat(openai.accounts().get("default").models().get("gpt").limits())
				.extracting(LimitSnapshot::source, (limit) -> limit.limit().name(), (limit) -> limit.limit().amount())
				.containsExactly(tuple(Source.LEARNED, "requests-per-minute", 60L),
						tuple(Source.LEARNED, "tokens-per-minute", 100_000L));
			assertThat(context.getBean(RateLimitEndpoint.class).providers().providers()).containsOnlyKeys("openai");
			assertThat(context.getBean(MeterRegistry.class)
				.get("llm.ratelimit.limit.remaining")
				.tags("provider", "openai", "model", "gpt", "limit", "requests-per-minute")
				.gauge()
				.value()).isEqualTo(57);
		});
	}

	@Test
	void learnsEachModelForItself() {
		SimulatedExchange provider = provider(SimulatorOptions.builder().requestsPerMinute(60));
		this.runner.run((context) -> {
			WebClient.Builder client = context.getBean(WebClient.Builder.class);
			List<Integer> first = call(client, provider, OPENAI, "one", 5);
			List<Integer> second = call(client, provider, OPENAI, "two", 5);
			this.time.advance(Duration.ofSeconds(30));
			assertThat(first).hasSize(5).containsOnly(200);
			assertThat(second).hasSize(5).containsOnly(200);
			ProviderSnapshot openai = context.getBean(LlmRateLimiter.class).snapshot().blockLast();
			assertThat(openai.accounts().get("default").models()).containsOnlyKeys("one", "two");
		});
	}

	@Test
	void takesADeploymentForTheModelThatTheRequestDoesNotName() {
		SimulatedExchange provider = provider(
				SimulatorOptions.builder().dialect(SimulatedDialect.AZURE_OPENAI).requestsPerMinute(60));
		this.runner.run((context) -> {
			WebClient client = context.getBean(WebClient.Builder.class).exchangeFunction(provider).build();
			client.post()
				.uri("https://mine.openai.azure.com/openai/deployments/mine/chat/completions")
				.header("api-key", "key")
				.bodyValue(Map.of("messages", List.of(Map.of("role", "user", "content", "Hello"))))
				.retrieve()
				.toBodilessEntity()
				.subscribe();
			this.time.advance(Duration.ofSeconds(5));
			ProviderSnapshot azure = context.getBean(LlmRateLimiter.class).snapshot().blockLast();
			assertThat(azure.accounts().get("default").models()).containsOnlyKeys("mine");
		});
	}

	@Test
	void isNotThereIfItsUrlIsConfiguredUnderAnotherName() {
		this.runner.withPropertyValues("llm.ratelimit.providers.mine.base-urls=https://api.openai.com/")
			.run((context) -> assertThat(providerOf(context.getBean(ProviderRegistry.class), OPENAI))
				.isEqualTo("mine"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "llm.ratelimit.providers.openai.mode=off", "llm.ratelimit.defaults.mode=off",
			"llm.ratelimit.defaults.learn-limits=false" })
	void isLeftAloneIfSoConfigured(String property) {
		this.runner.withPropertyValues(property).run((context) -> {
			Provider provider = context.getBean(ProviderRegistry.class).find(URI.create(OPENAI));
			assertThat(provider == null || !provider.limited()).isTrue();
		});
	}

	@Test
	void takesNoLimitFromTheDefaults() {
		this.runner.withPropertyValues("llm.ratelimit.defaults.limits.requests-per-minute=10")
			.run((context) -> assertThat(context.getBean(ConfiguredProviders.class).knownPlans()).isNotEmpty()
				.allSatisfy((plan) -> assertThat(plan.accounts().get("default").limits()).isEmpty()));
	}

	@Test
	void serversOnThisMachineAreNotTakenForKnown() {
		this.runner.run((context) -> assertThat(
				context.getBean(ProviderRegistry.class).find(URI.create("http://localhost:11434/api/chat")))
			.isNull());
	}

	private static String providerOf(ProviderRegistry registry, String url) {
		return registry.find(URI.create(url)).name();
	}

	private SimulatedExchange provider(SimulatorOptions.Builder options) {
		return new SimulatedExchange(
				options.networkDelay(Delay.uniform(Duration.ofMillis(10), Duration.ofMillis(60))).build(),
				this.time.scheduler());
	}

	private static List<Integer> call(WebClient.Builder builder, SimulatedExchange provider, String url, String model,
			int times) {
		WebClient client = builder.clone().exchangeFunction(provider).build();
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < times; i++) {
			client.post()
				.uri(url)
				.header("authorization", "Bearer key")
				.bodyValue(Map.of("model", model, "max_tokens", 100, "messages",
						List.of(Map.of("role", "user", "content", "Hello"))))
				.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()))
				.subscribe(statuses::add, (failure) -> statuses.add(-1));
		}
		return statuses;
	}

}
