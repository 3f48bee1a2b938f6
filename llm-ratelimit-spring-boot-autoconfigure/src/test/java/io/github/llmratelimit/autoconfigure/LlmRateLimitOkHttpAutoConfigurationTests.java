package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.okhttp.LlmRateLimitOkHttpInterceptor;
import io.github.llmratelimit.sdk.LlmRateLimitAnthropicHttpClient;
import io.github.llmratelimit.sdk.LlmRateLimitOpenAiHttpClient;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.ai.anthropic.http.okhttp.AnthropicHttpClientBuilderCustomizer;
import org.springframework.ai.openai.http.okhttp.OpenAiHttpClientBuilderCustomizer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LlmRateLimitOkHttpAutoConfiguration},
 * {@link LlmRateLimitSdkAutoConfiguration} and
 * {@link LlmRateLimitSpringAiAutoConfiguration}, alone and together.
 */
@ExtendWith(OutputCaptureExtension.class)
class LlmRateLimitOkHttpAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(LlmRateLimitAutoConfiguration.class, LlmRateLimitOkHttpAutoConfiguration.class,
					LlmRateLimitSdkAutoConfiguration.class, LlmRateLimitSpringAiAutoConfiguration.class));

	@Test
	void namesAllIntegrations() {
		this.runner.run((context) -> assertThat(context.getBeansOfType(Integration.class).values())
			.extracting(Integration::name)
			.containsExactlyInAnyOrder("okhttp", "openai-java", "anthropic-java", "spring-ai-openai",
					"spring-ai-anthropic"));
	}

	@Test
	void addsInterceptorToClientsThatAreBeans() {
		this.runner.withBean(OkHttpClient.class, OkHttpClient::new)
			.withBean(OkHttpClient.Builder.class, OkHttpClient.Builder::new)
			.run((context) -> {
				LlmRateLimitOkHttpInterceptor interceptor = context.getBean(LlmRateLimitOkHttpInterceptor.class);
				assertThat(context.getBean(OkHttpClient.class).interceptors()).containsExactly(interceptor);
				assertThat(context.getBean(OkHttpClient.Builder.class).interceptors()).containsExactly(interceptor);
			});
	}

	@Test
	void decoratesHttpClientsOfSdksThatAreBeans() {
		this.runner
			.withBean("openAi", com.openai.core.http.HttpClient.class,
					() -> mock(com.openai.core.http.HttpClient.class))
			.withBean("anthropic", com.anthropic.core.http.HttpClient.class,
					() -> mock(com.anthropic.core.http.HttpClient.class))
			.run((context) -> assertThat(context).hasSingleBean(LlmRateLimitOpenAiHttpClient.class)
				.hasSingleBean(LlmRateLimitAnthropicHttpClient.class));
	}

	@Test
	void backsOffForOwnInterceptor() {
		this.runner.withUserConfiguration(OwnInterceptor.class)
			.run((context) -> assertThat(context).getBeanNames(LlmRateLimitOkHttpInterceptor.class)
				.containsExactly("own"));
	}

	@Test
	void doesNothingWhenSwitchedOff() {
		this.runner.withPropertyValues("llm.ratelimit.enabled=false")
			.withBean(OkHttpClient.class, OkHttpClient::new)
			.run((context) -> {
				assertThat(context).doesNotHaveBean(Integration.class)
					.doesNotHaveBean(OpenAiHttpClientBuilderCustomizer.class);
				assertThat(context.getBean(OkHttpClient.class).interceptors()).isEmpty();
			});
	}

	@Test
	void canDoWithoutAnyOfTheLibraries() {
		this.runner
			.withClassLoader(
					new FilteredClassLoader("okhttp3", "com.openai", "com.anthropic", "org.springframework.ai"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Integration.class));
	}

	@Test
	void canDoWithoutSpringAi() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.ai"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LlmRateLimitOkHttpInterceptor.class)
				.doesNotHaveBean(AnthropicHttpClientBuilderCustomizer.class));
	}

	@Test
	void warnsOfRetriesOfSpringAi(CapturedOutput output) {
		SpringAiRetryCheck check = new SpringAiRetryCheck(
				new MockEnvironment().withProperty(SpringAiRetries.PROPERTY, "3"));
		check.afterSingletonsInstantiated();
		assertThat(output).containsOnlyOnce("spring.ai.retry.max-attempts is 3");
	}

	@Test
	void saysNothingOfRetriesThatAreSwitchedOff(CapturedOutput output) {
		new SpringAiRetryCheck(new MockEnvironment().withProperty(SpringAiRetries.PROPERTY, "0"))
			.afterSingletonsInstantiated();
		assertThat(output).doesNotContain(SpringAiRetries.PROPERTY);
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnInterceptor {

		@Bean
		LlmRateLimitOkHttpInterceptor own(LlmExchanges exchanges) {
			return new LlmRateLimitOkHttpInterceptor(exchanges);
		}

	}

}
