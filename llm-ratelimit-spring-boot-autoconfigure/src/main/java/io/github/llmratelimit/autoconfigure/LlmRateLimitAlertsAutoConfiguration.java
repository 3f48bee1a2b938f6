package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.alerts.LimitEventPublisher;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the events that tell of closed levels and learned limits.
 */
@AutoConfiguration(after = LlmRateLimitAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitAlertsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LimitEventPublisher llmRateLimitEventPublisher(ApplicationEventPublisher publisher) {
		return new LimitEventPublisher(publisher);
	}

}
