package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.okhttp.LlmRateLimitOkHttpInterceptor;

import org.springframework.ai.anthropic.http.okhttp.AnthropicHttpClientBuilderCustomizer;
import org.springframework.ai.openai.http.okhttp.OpenAiHttpClientBuilderCustomizer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration that lets the models of Spring AI that run on the vendors' SDKs wait
 * their turn. Those that run on RestClient and WebClient do so by themselves.
 */
@AutoConfiguration(after = LlmRateLimitOkHttpAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitSpringAiAutoConfiguration {

	/**
	 * For OpenAI, and what talks like it.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(OpenAiHttpClientBuilderCustomizer.class)
	static class OpenAiConfiguration {

		@Bean
		OpenAiHttpClientBuilderCustomizer llmRateLimitOpenAiHttpClientBuilderCustomizer(
				LlmRateLimitOkHttpInterceptor interceptor) {
			return (builder) -> builder.interceptor(interceptor);
		}

		@Bean
		Integration llmRateLimitSpringAiOpenAiIntegration() {
			return new Integration("spring-ai-openai");
		}

	}

	/**
	 * For Anthropic.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(AnthropicHttpClientBuilderCustomizer.class)
	static class AnthropicConfiguration {

		@Bean
		AnthropicHttpClientBuilderCustomizer llmRateLimitAnthropicHttpClientBuilderCustomizer(
				LlmRateLimitOkHttpInterceptor interceptor) {
			return (builder) -> builder.interceptor(interceptor);
		}

		@Bean
		Integration llmRateLimitSpringAiAnthropicIntegration() {
			return new Integration("spring-ai-anthropic");
		}

	}

	/**
	 * For all that repeat calls by themselves.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = SpringAiRetries.LIBRARY)
	static class RetryConfiguration {

		@Bean
		@Lazy(false)
		SpringAiRetryCheck llmRateLimitSpringAiRetryCheck(Environment environment) {
			return new SpringAiRetryCheck(environment);
		}

	}

}
