package io.github.llmratelimit.autoconfigure;

import dev.langchain4j.http.client.HttpClientBuilder;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.langchain4j.HttpExceptionReader;
import io.github.llmratelimit.langchain4j.LlmRateLimitHttpClientBuilder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} that lets the HTTP clients of LangChain4j
 * wait their turn whose builders are beans, as those of its starters are.
 */
@AutoConfiguration(after = LlmRateLimitAutoConfiguration.class)
@ConditionalOnClass(HttpClientBuilder.class)
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitLangChain4jAutoConfiguration {

	/* Its RestClient comes from Boot's builder, and is covered where that is. */
	private static final String ON_REST_CLIENT = "dev.langchain4j.http.client.spring.restclient.";

	@Bean
	static BeanPostProcessor llmRateLimitHttpClientBuilderPostProcessor(ObjectProvider<LlmExchanges> exchanges,
			ObjectProvider<Integration> integrations) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof HttpClientBuilder builder && !isCovered(builder, integrations))
						? new LlmRateLimitHttpClientBuilder(exchanges.getObject(), builder) : bean;
			}

		};
	}

	private static boolean isCovered(HttpClientBuilder builder, ObjectProvider<Integration> integrations) {
		return builder instanceof LlmRateLimitHttpClientBuilder
				|| builder.getClass().getName().startsWith(ON_REST_CLIENT)
						&& integrations.stream().anyMatch((integration) -> integration.name().equals("restclient"));
	}

	@Bean
	@ConditionalOnMissingBean
	HttpExceptionReader llmRateLimitHttpExceptionReader() {
		return new HttpExceptionReader();
	}

	@Bean
	Integration llmRateLimitLangChain4jIntegration() {
		return new Integration("langchain4j");
	}

}
