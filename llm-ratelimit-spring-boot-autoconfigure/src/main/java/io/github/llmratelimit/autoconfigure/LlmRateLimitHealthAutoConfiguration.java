package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.actuate.RateLimitHealthIndicator;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the health contributor.
 */
@AutoConfiguration(after = LlmRateLimitAutoConfiguration.class)
@ConditionalOnClass({ ReactiveHealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitHealthAutoConfiguration {

	@Bean
	@ConditionalOnEnabledHealthIndicator("llm-ratelimit")
	@ConditionalOnMissingBean(name = { "llmRatelimitHealthIndicator", "llmRatelimitHealthContributor" })
	RateLimitHealthIndicator llmRatelimitHealthContributor(LlmRateLimiter limiter) {
		return new RateLimitHealthIndicator(limiter);
	}

}
