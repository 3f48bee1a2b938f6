package io.github.llmratelimit.autoconfigure;

import java.util.List;
import java.util.Map;

import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import io.github.llmratelimit.webclient.LlmRateLimitFilter;
import io.github.llmratelimit.webclient.LlmRateLimitWebClientCustomizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.netty.http.HttpResources;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LlmRateLimitWebClientAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LlmRateLimitWebClientAutoConfigurationTests {

	private static final String POOL_IS_SMALL = "connections to a host, but max-concurrency of acme admits";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(LlmRateLimitAutoConfiguration.class, LlmRateLimitWebClientAutoConfiguration.class,
						ReactiveHttpClientAutoConfiguration.class, WebClientAutoConfiguration.class))
		.withPropertyValues("llm.ratelimit.providers.acme.base-urls=https://api.acme.example");

	@Test
	void addsFilterToConfiguredBuilders() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(LlmRateLimitFilter.class)
				.hasSingleBean(LlmRateLimitWebClientCustomizer.class);
			context.getBean(WebClient.Builder.class)
				.filters((filters) -> assertThat(filters).singleElement().isInstanceOf(LlmRateLimitFilter.class));
			assertThat(context.getBean(Integration.class).name()).isEqualTo("webclient");
		});
	}

	@Test
	void addsFilterInsideThoseOfOtherCustomizers() {
		WebClientCustomizer other = (builder) -> builder.filter((request, next) -> next.exchange(request));
		this.runner.withBean("other", WebClientCustomizer.class, () -> other)
			.run((context) -> context.getBean(WebClient.Builder.class)
				.filters((filters) -> assertThat(filters).hasSize(2).last().isInstanceOf(LlmRateLimitFilter.class)));
	}

	@Test
	void backsOffForOwnBeans() {
		this.runner.run((context) -> {
			LlmRateLimitFilter filter = new LlmRateLimitFilter(
					new LlmExchanges(context.getBean(ProviderRegistry.class), context.getBean(LlmCallPipeline.class),
							new CallEstimator(new HeuristicTokenEstimator(), List.of(), Map.of()), TimeSource.system(),
							Map.of()));
			LlmRateLimitWebClientCustomizer customizer = new LlmRateLimitWebClientCustomizer(filter);
			this.runner.withBean("ownFilter", LlmRateLimitFilter.class, () -> filter)
				.withBean("ownCustomizer", LlmRateLimitWebClientCustomizer.class, () -> customizer)
				.run((own) -> {
					assertThat(own).getBean(LlmRateLimitFilter.class).isSameAs(filter);
					assertThat(own).getBean(LlmRateLimitWebClientCustomizer.class).isSameAs(customizer);
				});
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { WebClient.class, WebClientCustomizer.class })
	void isAbsentWithoutWebClient(Class<?> absent) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
					LlmRateLimitWebClientAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(absent))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LlmRateLimiter.class)
				.doesNotHaveBean("llmRateLimitFilter")
				.doesNotHaveBean(Integration.class));
	}

	@Test
	void isSwitchedOffByProperty() {
		this.runner.withPropertyValues("llm.ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LlmRateLimitFilter.class));
	}

	@Test
	void checksNoPoolWithoutReactorNetty() {
		this.runner.withClassLoader(new FilteredClassLoader(HttpResources.class))
			.run((context) -> assertThat(context).hasSingleBean(LlmRateLimitFilter.class)
				.doesNotHaveBean(ConnectionPoolCheck.class));
	}

	@Test
	void warnsOfGlobalPoolThatIsSmallerThanMaxConcurrency(CapturedOutput output) {
		int more = HttpResources.get().maxConnections() + 1;
		this.runner.withPropertyValues("llm.ratelimit.providers.acme.limits.max-concurrency=" + more)
			.run((context) -> assertThat(output).contains(POOL_IS_SMALL));
	}

	@Test
	void warnsOfOwnPoolThatIsSmallerThanAccountsTogether(CapturedOutput output) {
		this.runner.withBean(ConnectionProvider.class, () -> ConnectionProvider.create("own", 9))
			.withPropertyValues("llm.ratelimit.providers.acme.limits.max-concurrency=5",
					"llm.ratelimit.providers.acme.accounts.b.limits.max-concurrency=5")
			.run((context) -> assertThat(output).contains("pool holds 9 " + POOL_IS_SMALL + " 10 calls"));
	}

	@Test
	void doesNotWarnOfPoolThatIsLargeEnough(CapturedOutput output) {
		this.runner.withPropertyValues("llm.ratelimit.providers.acme.limits.max-concurrency=50")
			.run((context) -> assertThat(output).doesNotContain(POOL_IS_SMALL));
	}

	@Test
	void doesNotWarnOfPoolThatIsNotUsed(CapturedOutput output) {
		this.runner.withBean(ConnectionProvider.class, () -> ConnectionProvider.create("own", 9))
			.withPropertyValues("llm.ratelimit.providers.acme.limits.max-concurrency=50",
					"spring.http.clients.reactive.connector=jdk")
			.run((context) -> assertThat(output).doesNotContain(POOL_IS_SMALL));
	}

	@Test
	void worksWithOwnLimiter() {
		this.runner.withBean("own", LlmRateLimiter.class, () -> mock())
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(LlmRateLimitFilter.class));
	}

}
