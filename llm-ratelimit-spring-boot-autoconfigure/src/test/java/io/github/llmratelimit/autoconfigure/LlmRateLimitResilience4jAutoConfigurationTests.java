package io.github.llmratelimit.autoconfigure;

import java.time.Duration;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.resilience4j.AccountRateLimiters;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.springboot.ratelimiter.autoconfigure.RateLimiterAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LlmRateLimitResilience4jAutoConfiguration}.
 */
class LlmRateLimitResilience4jAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
				LlmRateLimitResilience4jAutoConfiguration.class))
		.withPropertyValues("llm.ratelimit.providers.openai.limits.requests-per-minute=2",
				"llm.ratelimit.providers.openai.queue.max-wait.normal=90s");

	private final ApplicationContextRunner withRegistry = this.runner.withBean(RateLimiterRegistry.class,
			RateLimiterRegistry::ofDefaults);

	@Test
	void theApplicationsRegistryGivesOurLimits() {
		this.withRegistry.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).rateLimiter("openai");
			assertThat(limiter.getRateLimiterConfig().getTimeoutDuration()).isEqualTo(Duration.ofSeconds(90));
			context.getBean(CallAdmission.class).acquire(LlmCall.to("openai")).block(Duration.ofSeconds(5));
			assertThat(limiter.getMetrics().getAvailablePermissions()).isEqualTo(1);
			assertThat(limiter.reservePermission()).isZero();
			assertThat(limiter.reservePermission()).isEqualTo(-1);
			assertThat(context.getBean(Integration.class).name()).isEqualTo("resilience4j");
		});
	}

	@Test
	void whoTakesItsRateLimiterWhenItIsCreatedHasOursAsWell() {
		this.withRegistry.withBean(Early.class)
			.run((context) -> assertThat(context.getBean(Early.class).limiter)
				.isSameAs(context.getBean(RateLimiterRegistry.class).rateLimiter("openai"))
				.extracting((limiter) -> limiter.getMetrics().getAvailablePermissions())
				.isEqualTo(2));
	}

	@Test
	void resilience4jsOwnRegistryIsUsedWithWhatIsConfiguredThere() {
		this.runner.withConfiguration(AutoConfigurations.of(RateLimiterAutoConfiguration.class))
			.withPropertyValues("resilience4j.ratelimiter.instances.openai.timeout-duration=3s",
					"resilience4j.ratelimiter.instances.openai.limit-for-period=77",
					"resilience4j.ratelimiter.instances.other.limit-for-period=77")
			.run((context) -> {
				RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
				RateLimiterConfig config = registry.rateLimiter("openai").getRateLimiterConfig();
				assertThat(config.getTimeoutDuration()).isEqualTo(Duration.ofSeconds(3));
				assertThat(config.getLimitForPeriod()).isEqualTo(2);
				assertThat(registry.rateLimiter("other").getMetrics().getAvailablePermissions()).isEqualTo(77);
			});
	}

	@Test
	void aProviderThatIsSwitchedOffLeavesItsNameToResilience4j() {
		this.withRegistry.withPropertyValues("llm.ratelimit.providers.openai.mode=off")
			.run((context) -> assertThat(context.getBean(RateLimiterRegistry.class).getAllRateLimiters()).isEmpty());
	}

	@Test
	void createsNoRegistry() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(RateLimiterRegistry.class)
			.doesNotHaveBean(AccountRateLimiters.class)
			.doesNotHaveBean(Integration.class));
	}

	@Test
	void isAbsentWithoutResilience4j() {
		this.runner.withClassLoader(new FilteredClassLoader(RateLimiterRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LlmRateLimiter.class)
				.doesNotHaveBean(AccountRateLimiters.class));
	}

	@Test
	void isSwitchedOffByProperty() {
		this.withRegistry.withPropertyValues("llm.ratelimit.enabled=false")
			.run((context) -> assertThat(context.getBean(RateLimiterRegistry.class).getAllRateLimiters()).isEmpty());
	}

	/**
	 * Keeps what it gets from the registry.
	 */
	static class Early {

		final RateLimiter limiter;

		Early(RateLimiterRegistry registry) {
			this.limiter = registry.rateLimiter("openai");
		}

	}

}
