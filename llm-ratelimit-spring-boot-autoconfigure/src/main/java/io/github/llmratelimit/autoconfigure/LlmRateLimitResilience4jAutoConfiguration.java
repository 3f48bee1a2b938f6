package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.resilience4j.AccountRateLimiters;
import io.github.llmratelimit.time.TimeSource;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the rate limiters that stand for
 * accounts in the application's {@link RateLimiterRegistry}. Without such a registry
 * nobody could ask for them.
 */
@AutoConfiguration(after = LlmRateLimitAutoConfiguration.class,
		afterName = "io.github.resilience4j.springboot.ratelimiter.autoconfigure.RateLimiterAutoConfiguration")
@ConditionalOnClass(RateLimiterRegistry.class)
@ConditionalOnBean(RateLimiterRegistry.class)
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitResilience4jAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	AccountRateLimiters llmRateLimitAccountRateLimiters(CallAdmission admission, ConfiguredProviders providers,
			TimeSource time) {
		return new AccountRateLimiters(admission, providers.plans(), time);
	}

	/*
	 * Before anybody gets the registry: a bean may take its rate limiter when it is
	 * created, and keep it.
	 */
	@Bean
	static BeanPostProcessor llmRateLimitRegistryPostProcessor(ObjectProvider<AccountRateLimiters> limiters) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				if (bean instanceof RateLimiterRegistry registry) {
					limiters.getObject().registerIn(registry);
				}
				return bean;
			}

		};
	}

	@Bean
	Integration llmRateLimitResilience4jIntegration() {
		return new Integration("resilience4j");
	}

}
