package io.github.llmratelimit.autoconfigure;

import java.net.URI;

import io.github.llmratelimit.alerts.AlertWebhook;
import io.github.llmratelimit.alerts.LimitEventPublisher;
import io.github.llmratelimit.time.TimeSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.DependsOn;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration of what tells applications and people of closed levels and learned
 * limits.
 */
@AutoConfiguration(after = LlmRateLimitAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitAlertsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LimitEventPublisher llmRateLimitEventPublisher(ApplicationEventPublisher publisher) {
		return new LimitEventPublisher(publisher);
	}

	/* What is created first has checked the properties. */
	@Bean
	@ConditionalOnMissingBean
	@Conditional(WebhookUrlCondition.class)
	@DependsOn("llmRateLimitConfiguredProviders")
	AlertWebhook llmRateLimitAlertWebhook(LlmRateLimitProperties properties, TimeSource time, Environment environment) {
		AlertsProperties alerts = properties.alerts();
		return new AlertWebhook(URI.create(String.valueOf(alerts.webhookUrl())), alerts.format(),
				environment.getProperty("spring.application.name"), time);
	}

	/**
	 * Matches if a URL is set, and not to nothing.
	 */
	static final class WebhookUrlCondition implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return StringUtils.hasText(context.getEnvironment().getProperty("llm.ratelimit.alerts.webhook-url"));
		}

	}

}
