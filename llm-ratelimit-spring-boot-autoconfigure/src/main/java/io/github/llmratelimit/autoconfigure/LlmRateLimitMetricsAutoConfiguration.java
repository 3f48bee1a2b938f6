package io.github.llmratelimit.autoconfigure;

import java.util.stream.Stream;

import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.metrics.CallMeters;
import io.github.llmratelimit.metrics.LevelGauges;
import io.github.llmratelimit.time.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the meters.
 */
@AutoConfiguration(after = LlmRateLimitAutoConfiguration.class, afterName = {
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CallMeters llmRateLimitCallMeters(MeterRegistry registry, ConfiguredProviders providers) {
		return new CallMeters(registry,
				Stream.concat(providers.plans().stream(), providers.knownPlans().stream()).toList());
	}

	/*
	 * The limiter is looked up when the gauges are read: it needs its listeners, they
	 * need the registry, and the registry may bind the gauges while it is created.
	 */
	@Bean
	@ConditionalOnMissingBean
	LevelGauges llmRateLimitLevelGauges(ConfiguredProviders providers, ObjectProvider<LlmRateLimiter> limiter,
			TimeSource time) {
		return new LevelGauges(providers.plans(), limiter::getObject, time);
	}

}
