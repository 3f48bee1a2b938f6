package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.restclient.LlmRateLimitInterceptor;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.client.RestClient;

/**
 * Auto-configuration that lets every configured {@link RestClient} and
 * {@link org.springframework.web.client.RestTemplate} wait its turn.
 */
@AutoConfiguration(after = LlmRateLimitAutoConfiguration.class)
@ConditionalOnClass({ RestClient.class, RestClientCustomizer.class })
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitRestClientAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LlmRateLimitInterceptor llmRateLimitInterceptor(LlmExchanges exchanges) {
		return new LlmRateLimitInterceptor(exchanges);
	}

	/* An interceptor that has nothing to do would still keep uploads in memory. */
	@Bean
	@ConditionalOnMissingBean(name = "llmRateLimitRestClientCustomizer")
	RestClientCustomizer llmRateLimitRestClientCustomizer(LlmRateLimitInterceptor interceptor,
			ProviderRegistry registry) {
		boolean limited = registry.providers().stream().anyMatch(Provider::limited);
		return (builder) -> {
			if (limited) {
				builder.requestInterceptor(interceptor);
			}
		};
	}

	@Bean
	@ConditionalOnMissingBean(name = "llmRateLimitRestTemplateCustomizer")
	RestTemplateCustomizer llmRateLimitRestTemplateCustomizer(LlmRateLimitInterceptor interceptor) {
		return interceptor::addTo;
	}

	@Bean
	Integration llmRateLimitRestClientIntegration() {
		return new Integration("restclient");
	}

}
