package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.okhttp.LlmRateLimitOkHttpInterceptor;
import okhttp3.OkHttpClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration that lets every {@link OkHttpClient} that is a bean, or is built by
 * one, wait its turn.
 */
@AutoConfiguration(after = LlmRateLimitAutoConfiguration.class)
@ConditionalOnClass(OkHttpClient.class)
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitOkHttpAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LlmRateLimitOkHttpInterceptor llmRateLimitOkHttpInterceptor(LlmExchanges exchanges) {
		return new LlmRateLimitOkHttpInterceptor(exchanges);
	}

	@Bean
	static ChangedBeans<OkHttpClient> llmRateLimitOkHttpClients(
			ObjectProvider<LlmRateLimitOkHttpInterceptor> interceptor) {
		return new ChangedBeans<>(OkHttpClient.class,
				(client) -> interceptor.getObject().addTo(client.newBuilder()).build());
	}

	@Bean
	static ChangedBeans<OkHttpClient.Builder> llmRateLimitOkHttpClientBuilders(
			ObjectProvider<LlmRateLimitOkHttpInterceptor> interceptor) {
		return new ChangedBeans<>(OkHttpClient.Builder.class, (builder) -> interceptor.getObject().addTo(builder));
	}

	@Bean
	Integration llmRateLimitOkHttpIntegration() {
		return new Integration("okhttp");
	}

}
