package io.github.llmratelimit.sample.ways;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Code that uses a limiter of Resilience4j keeps doing so: the limiter named after the
 * provider has its limits.
 */
@Configuration(proxyBeanMethods = false)
class Resilience4jWays {

	@Bean
	RateLimiterRegistry rateLimiterRegistry() {
		return RateLimiterRegistry.ofDefaults();
	}

	@Bean
	WayIn resilience4j(RateLimiterRegistry registry, UnlimitedClient client) {
		RateLimiter limiter = registry.rateLimiter("openai");
		return WayIn.blocking("Resilience4j", (question) -> limiter.executeSupplier(() -> client.ask(question)));
	}

}
