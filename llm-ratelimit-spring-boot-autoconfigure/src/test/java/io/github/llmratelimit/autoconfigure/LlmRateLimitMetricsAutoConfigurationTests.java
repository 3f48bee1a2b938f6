package io.github.llmratelimit.autoconfigure;

import java.util.List;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.metrics.CallMeters;
import io.github.llmratelimit.metrics.LevelGauges;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LlmRateLimitMetricsAutoConfiguration}.
 */
class LlmRateLimitMetricsAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
				LlmRateLimitMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
		.withPropertyValues("llm.ratelimit.providers.acme.base-urls=https://api.acme.example",
				"llm.ratelimit.providers.acme.limits.requests-per-minute=10");

	@Test
	void countsCallsAndShowsLevels() {
		this.runner.run(this::assertThatCallIsCounted);
	}

	@Test
	void countsCallsAndShowsLevelsIfBeansAreLazy() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run(this::assertThatCallIsCounted);
	}

	private void assertThatCallIsCounted(AssertableApplicationContext context) {
		context.getBean(LlmRateLimiter.class).acquire(LlmCall.to("acme")).block().complete(CallOutcome.SUCCESS, null);
		MeterRegistry registry = context.getBean(MeterRegistry.class);
		assertThat(registry.get("llm.ratelimit.calls").tag("outcome", "success").counter().count()).isOne();
		assertThat(registry.get("llm.ratelimit.limit.remaining").tag("limit", "requests-per-minute").gauge().value())
			.isEqualTo(9);
	}

	@Test
	void backsOffForOwnBeans() {
		CallMeters meters = new CallMeters(mock(), List.of());
		LevelGauges gauges = new LevelGauges(List.of(), () -> mock(), mock());
		this.runner.withBean("ownMeters", CallMeters.class, () -> meters)
			.withBean("ownGauges", LevelGauges.class, () -> gauges)
			.run((context) -> {
				assertThat(context).getBean(CallMeters.class).isSameAs(meters);
				assertThat(context).getBean(LevelGauges.class).isSameAs(gauges);
			});
	}

	@Test
	void isAbsentWithoutMicrometer() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
					LlmRateLimitMetricsAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LlmRateLimiter.class)
				.doesNotHaveBean("llmRateLimitCallMeters"));
	}

	@Test
	void isAbsentWithoutRegistry() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
					LlmRateLimitMetricsAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CallMeters.class));
	}

	@Test
	void isSwitchedOffByProperty() {
		this.runner.withPropertyValues("llm.ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CallMeters.class));
	}

}
