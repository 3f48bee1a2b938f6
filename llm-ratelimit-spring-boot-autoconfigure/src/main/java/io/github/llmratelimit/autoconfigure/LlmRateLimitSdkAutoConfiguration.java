package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.sdk.AnthropicResponseReader;
import io.github.llmratelimit.sdk.LlmRateLimitAnthropicHttpClient;
import io.github.llmratelimit.sdk.LlmRateLimitOpenAiHttpClient;
import io.github.llmratelimit.sdk.OpenAiResponseReader;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration that lets the HTTP clients of the vendors' SDKs that are beans wait
 * their turn.
 */
@AutoConfiguration(after = LlmRateLimitAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitSdkAutoConfiguration {

	/**
	 * For openai-java.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(com.openai.core.http.HttpClient.class)
	static class OpenAiConfiguration {

		@Bean
		static ChangedBeans<com.openai.core.http.HttpClient> llmRateLimitOpenAiHttpClients(
				ObjectProvider<LlmExchanges> exchanges) {
			return new ChangedBeans<>(com.openai.core.http.HttpClient.class,
					(client) -> (client instanceof LlmRateLimitOpenAiHttpClient) ? client
							: new LlmRateLimitOpenAiHttpClient(client, exchanges.getObject()));
		}

		@Bean
		@ConditionalOnMissingBean
		OpenAiResponseReader llmRateLimitOpenAiResponseReader() {
			return new OpenAiResponseReader();
		}

		@Bean
		Integration llmRateLimitOpenAiIntegration() {
			return new Integration("openai-java");
		}

	}

	/**
	 * For anthropic-java.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(com.anthropic.core.http.HttpClient.class)
	static class AnthropicConfiguration {

		@Bean
		static ChangedBeans<com.anthropic.core.http.HttpClient> llmRateLimitAnthropicHttpClients(
				ObjectProvider<LlmExchanges> exchanges) {
			return new ChangedBeans<>(com.anthropic.core.http.HttpClient.class,
					(client) -> (client instanceof LlmRateLimitAnthropicHttpClient) ? client
							: new LlmRateLimitAnthropicHttpClient(client, exchanges.getObject()));
		}

		@Bean
		@ConditionalOnMissingBean
		AnthropicResponseReader llmRateLimitAnthropicResponseReader() {
			return new AnthropicResponseReader();
		}

		@Bean
		Integration llmRateLimitAnthropicIntegration() {
			return new Integration("anthropic-java");
		}

	}

}
