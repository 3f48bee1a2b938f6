package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.actuate.RateLimitHealthIndicator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.health.registry.ReactiveHealthContributorRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LlmRateLimitHealthAutoConfiguration}.
 */
class LlmRateLimitHealthAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(LlmRateLimitAutoConfiguration.class, LlmRateLimitHealthAutoConfiguration.class,
					HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class));

	@Test
	void contributesUnderItsName() {
		this.runner.run((context) -> assertThat(
				context.getBean(ReactiveHealthContributorRegistry.class).getContributor("llmRatelimit"))
			.isInstanceOf(RateLimitHealthIndicator.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "management.health.llm-ratelimit.enabled", "management.health.defaults.enabled",
			"llm.ratelimit.enabled" })
	void isSwitchedOffByProperty(String property) {
		this.runner.withPropertyValues(property + "=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitHealthIndicator.class));
	}

	@Test
	void backsOffForOwnBean() {
		this.runner.withBean("llmRatelimitHealthIndicator", ReactiveHealthIndicator.class, () -> mock())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitHealthIndicator.class));
	}

	@Test
	void isAbsentWithoutHealth() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
					LlmRateLimitHealthAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LlmRateLimiter.class)
				.doesNotHaveBean("llmRatelimitHealthContributor"));
	}

}
