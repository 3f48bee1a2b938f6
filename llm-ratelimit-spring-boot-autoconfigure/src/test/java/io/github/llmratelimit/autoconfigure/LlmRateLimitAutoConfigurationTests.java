package io.github.llmratelimit.autoconfigure;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmFailureClassifier;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.ThrownResponse;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.autoconfigure.ProviderSettings.Mode;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.jtokkit.JtokkitTokenEstimator;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.restclient.RestClientResponseReader;
import io.github.llmratelimit.store.LimitStore;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import io.github.llmratelimit.token.RequestFacts;
import io.github.llmratelimit.token.TokenEstimator;
import io.github.llmratelimit.webclient.WebClientResponseReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.client.RestClientResponseException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LlmRateLimitAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LlmRateLimitAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class));

	private final ApplicationContextRunner acme = this.runner.withPropertyValues(
			"llm.ratelimit.providers.acme.base-urls=https://api.acme.example",
			"llm.ratelimit.providers.acme.limits.requests-per-minute=10");

	@Test
	void providesEverythingThatIsNeededToLimitCalls() {
		this.acme.run((context) -> {
			assertThat(context).hasSingleBean(TimeSource.class)
				.hasSingleBean(LocalLimitStore.class)
				.hasSingleBean(TokenEstimator.class)
				.hasSingleBean(CallEstimator.class)
				.hasSingleBean(AdmissionController.class)
				.hasSingleBean(LlmCallPipeline.class);
			Provider provider = context.getBean(ProviderRegistry.class).find(URI.create("https://api.acme.example/v1"));
			assertThat(provider).isNotNull().extracting(Provider::name).isEqualTo("acme");
			Permit permit = context.getBean(LlmRateLimiter.class).acquire(LlmCall.to("acme")).block();
			assertThat(permit.scope().account()).isEqualTo("default");
		});
	}

	@Test
	void startsWithoutAnyProvider(CapturedOutput output) {
		this.runner.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(LlmRateLimiter.class));
		assertThat(output).contains("No LLM provider is configured");
	}

	@Test
	void isSwitchedOffByProperty() {
		this.acme.withPropertyValues("llm.ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LlmRateLimiter.class)
				.doesNotHaveBean(ProviderRegistry.class)
				.doesNotHaveBean(TimeSource.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { TimeSource.class, LimitStore.class, TokenEstimator.class, LlmRateLimiter.class })
	<T> void backsOffForOwnBean(Class<T> type) {
		T own = mock(type);
		this.acme.withBean("own", type, () -> own).run((context) -> assertThat(context).getBean(type).isSameAs(own));
	}

	@Test
	void lettingOthersAdmitLeavesTheRestAsItIs() {
		CallAdmission own = mock();
		Permit permit = mock();
		given(own.acquire(any())).willReturn(Mono.just(permit));
		this.acme.withBean("own", CallAdmission.class, () -> own).run((context) -> {
			assertThat(context.getSourceApplicationContext().getBean(CallAdmission.class)).isSameAs(own);
			assertThat(context.getBean(LlmRateLimiter.class).acquire(LlmCall.to("acme")).block()).isSameAs(permit);
		});
	}

	@Test
	void readsTheExceptionsOfTheClientsThatAreThere() {
		this.acme.run((context) -> assertThat(context).hasSingleBean(WebClientResponseReader.class)
			.hasSingleBean(RestClientResponseReader.class));
		this.acme
			.withClassLoader(
					new FilteredClassLoader(WebClientResponseException.class, RestClientResponseException.class))
			.run((context) -> assertThat(context).hasSingleBean(LlmRateLimiter.class)
				.doesNotHaveBean(ThrownResponse.Reader.class));
	}

	@Test
	void asksTheClassifiersOfTheApplication() {
		ThrottleSignal slow = ThrottleSignal.throttled(Tripped.UNKNOWN, null, "slow");
		this.acme.withPropertyValues("llm.ratelimit.providers.acme.backoff.base-delay=1ms")
			.withBean(LlmFailureClassifier.class,
					() -> (call, failure) -> (failure instanceof ArithmeticException) ? slow : null)
			.run((context) -> {
				AtomicInteger attempts = new AtomicInteger();
				assertThatExceptionOfType(ArithmeticException.class)
					.isThrownBy(() -> context.getBean(LlmRateLimiter.class).executeBlocking(LlmCall.to("acme"), () -> {
						attempts.incrementAndGet();
						throw new ArithmeticException("slow down");
					}));
				assertThat(attempts).hasValue(4);
			});
	}

	@Test
	void countsByTheRealVocabularyIfItIsThere() {
		this.acme.run((context) -> assertThat(context).getBean(TokenEstimator.class)
			.isInstanceOf(JtokkitTokenEstimator.class));
		this.acme.withClassLoader(new FilteredClassLoader("com.knuddels"))
			.run((context) -> assertThat(context).hasNotFailed()
				.getBean(TokenEstimator.class)
				.isInstanceOf(HeuristicTokenEstimator.class));
	}

	@Test
	void saysThatAVocabularyIsMissingWhichIsAskedFor() {
		this.acme.withPropertyValues("llm.ratelimit.defaults.tokens.estimator=jtokkit")
			.run((context) -> assertThat(context).hasNotFailed());
		this.acme.withPropertyValues("llm.ratelimit.defaults.tokens.estimator=jtokkit")
			.withClassLoader(new FilteredClassLoader("com.knuddels"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("llm.ratelimit.defaults.tokens.estimator")
				.hasMessageContaining("not on the class path"));
	}

	@Test
	void learnsFromTheCallsOfAllWaysIn() {
		this.acme.run((context) -> {
			Provider acme = context.getBean(ProviderRegistry.class).named("acme");
			CallEstimator estimator = context.getBean(CallEstimator.class);
			RequestFacts request = RequestFacts.scan("{\"prompt\":\"Hi\"}".getBytes(StandardCharsets.UTF_8));
			assertThat(estimator.estimate(acme, null, request).output()).isNotEqualTo(7);
			Permit permit = context.getBean(LlmRateLimiter.class).acquire(LlmCall.to("acme")).block();
			permit.complete(CallOutcome.SUCCESS, new TokenUsage(5, 7));
			assertThat(estimator.estimate(acme, null, request).output()).isEqualTo(7);
		});
	}

	@Test
	void saysThatLongLimitsAreForgotten(CapturedOutput output) {
		this.acme
			.withPropertyValues("llm.ratelimit.providers.acme.limits.requests-per-hour=100",
					"llm.ratelimit.providers.acme.limits.tokens-per-day=2000",
					"llm.ratelimit.providers.acme.models.m.match=m",
					"llm.ratelimit.providers.acme.models.m.limits.windows[0].counts=units",
					"llm.ratelimit.providers.acme.models.m.limits.windows[0].limit=5",
					"llm.ratelimit.providers.acme.models.m.limits.windows[0].per=2h")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("is kept in memory only and does not survive a restart: acme tokens-per-day, acme units-per-2h");
	}

	@Test
	void saysNothingOfForgettingWhereNothingIsForgotten(CapturedOutput output) {
		this.acme.withPropertyValues("llm.ratelimit.providers.acme.limits.requests-per-hour=100")
			.run((context) -> assertThat(context).hasNotFailed());
		this.acme.withPropertyValues("llm.ratelimit.providers.acme.limits.requests-per-day=100")
			.withBean(LimitStore.class, () -> mock(LimitStore.class))
			.run((context) -> assertThat(context).hasSingleBean(LimitStore.class));
		assertThat(output).doesNotContain("does not survive a restart");
	}

	@Test
	void backsOffForOwnRegistryAndPipeline() {
		ProviderRegistry registry = new ProviderRegistry(List.of());
		LlmCallPipeline pipeline = new LlmCallPipeline(mock(), Map.of(), TimeSource.system(), List.of());
		this.acme.withBean("ownRegistry", ProviderRegistry.class, () -> registry)
			.withBean("ownPipeline", LlmCallPipeline.class, () -> pipeline)
			.run((context) -> {
				assertThat(context).getBean(ProviderRegistry.class).isSameAs(registry);
				assertThat(context).getBean(LlmCallPipeline.class).isSameAs(pipeline);
			});
	}

	@Test
	void addsDialectsOfTheApplication() {
		this.runner.withUserConfiguration(OwnDialects.class)
			.withPropertyValues("llm.ratelimit.providers.acme.mode=enforce",
					"llm.ratelimit.providers.some.dialect=generic")
			.run((context) -> {
				ProviderRegistry registry = context.getBean(ProviderRegistry.class);
				assertThat(registry.named("acme").baseUrls()).containsExactly(URI.create("https://acme"));
				assertThat(registry.named("some").baseUrls()).containsExactly(URI.create("https://own-generic"));
			});
	}

	@Test
	void letsCustomizersChangeSettingsInOrder() {
		this.acme.withUserConfiguration(Customizers.class).run((context) -> {
			ProviderSettings settings = context.getBean(ConfiguredProviders.class).all().get(0);
			assertThat(settings.plan().queue().capacity()).isEqualTo(2);
			assertThat(settings.permitTimeout()).isEqualTo(Duration.ofSeconds(1));
		});
	}

	@Test
	void tellsListenersInOrder() {
		List<String> told = new ArrayList<>();
		this.acme.withBean("second", RateLimitListener.class, () -> new Second(told))
			.withBean("first", RateLimitListener.class, () -> new First(told))
			.run((context) -> {
				context.getBean(LlmRateLimiter.class)
					.acquire(LlmCall.to("acme"))
					.block()
					.complete(CallOutcome.SUCCESS, null);
				assertThat(told).containsExactly("first", "second");
			});
	}

	@Test
	void leavesProviderAloneWhoseModeIsOff(CapturedOutput output) {
		this.acme.withPropertyValues("llm.ratelimit.providers.acme.mode=off").run((context) -> {
			assertThat(context.getBean(ProviderRegistry.class).named("acme").limited()).isFalse();
			assertThat(context.getBean(ConfiguredProviders.class).all()).extracting(ProviderSettings::mode)
				.containsExactly(Mode.OFF);
		});
		assertThat(output).contains("acme").contains("is not limited: its mode is off");
	}

	@Test
	void saysWhatIsLimited(CapturedOutput output) {
		this.acme
			.withPropertyValues("llm.ratelimit.providers.acme.limits.tokens-per-minute=2000",
					"llm.ratelimit.providers.acme.limits.max-concurrency=5",
					"llm.ratelimit.providers.acme.models.small.match=mini*")
			.run((context) -> assertThat(output)
				.contains("LLM provider acme (dialect generic, [https://api.acme.example]) is limited: account default "
						+ "requests-per-minute=10 (sliding-window, effective 10)")
				.contains("tokens-per-minute=2000 (sliding-window, effective 1900), max-concurrency=5")
				.contains("models [mini*] without limits"));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnDialects {

		@Bean
		ProviderDialect acmeDialect() {
			return new OwnDialect("acme", "https://acme");
		}

		@Bean
		ProviderDialect genericDialect() {
			return new OwnDialect("generic", "https://own-generic");
		}

	}

	record OwnDialect(String name, String url) implements ProviderDialect {

		@Override
		public List<String> baseUrls() {
			return List.of(this.url);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		@Order(2)
		LlmRateLimitProviderCustomizer second() {
			return (settings) -> settings.withPlan(settings.plan().withQueue(QueueRules.DEFAULT.withCapacity(2)));
		}

		@Bean
		@Order(1)
		LlmRateLimitProviderCustomizer first() {
			return (settings) -> settings.withPlan(settings.plan().withQueue(QueueRules.DEFAULT.withCapacity(1)))
				.withPermitTimeout(Duration.ofSeconds(1));
		}

	}

	@Order(1)
	private record First(List<String> told) implements RateLimitListener {

		@Override
		public void onAdmitted(Permit permit) {
			this.told.add("first");
		}

	}

	@Order(2)
	private record Second(List<String> told) implements RateLimitListener {

		@Override
		public void onAdmitted(Permit permit) {
			this.told.add("second");
		}

	}

}
