package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.webclient.LlmRateLimitFilter;
import io.github.llmratelimit.webclient.LlmRateLimitWebClientCustomizer;
import reactor.netty.http.HttpResources;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Auto-configuration that lets every configured {@link WebClient} wait its turn.
 */
@AutoConfiguration(after = LlmRateLimitAutoConfiguration.class)
@ConditionalOnClass({ WebClient.class, WebClientCustomizer.class })
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitWebClientAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LlmRateLimitFilter llmRateLimitFilter(LlmExchanges exchanges) {
		return new LlmRateLimitFilter(exchanges);
	}

	@Bean
	@ConditionalOnMissingBean
	LlmRateLimitWebClientCustomizer llmRateLimitWebClientCustomizer(LlmRateLimitFilter filter) {
		return new LlmRateLimitWebClientCustomizer(filter);
	}

	@Bean
	Integration llmRateLimitWebClientIntegration() {
		return new Integration("webclient");
	}

	/**
	 * Warns of a connection pool in which admitted calls would have to wait again.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HttpResources.class, ReactorResourceFactory.class })
	static class ReactorNettyConfiguration {

		@Bean
		@Lazy(false)
		ConnectionPoolCheck llmRateLimitConnectionPoolCheck(ConfiguredProviders providers,
				ObjectProvider<ClientHttpConnectorBuilder<?>> connectors, ObjectProvider<ConnectionProvider> pools,
				ObjectProvider<ReactorResourceFactory> resources) {
			return new ConnectionPoolCheck(providers, connectors, pools, resources);
		}

	}

}
