package io.github.llmratelimit.autoconfigure;

import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

/**
 * Keeps Spring AI from repeating what has been repeated, unless the application says how
 * often it should.
 */
final class SpringAiRetries implements EnvironmentPostProcessor {

	/** A class of the library that repeats calls. */
	static final String LIBRARY = "org.springframework.ai.retry.RetryUtils";

	/** How often it does: not counting the first time, whatever the name says. */
	static final String PROPERTY = "spring.ai.retry.max-attempts";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		if (ClassUtils.isPresent(LIBRARY, application.getClassLoader())
				&& environment.getProperty("llm.ratelimit.enabled", Boolean.class, true)) {
			environment.getPropertySources().addLast(new MapPropertySource("llmRateLimit", Map.of(PROPERTY, 0)));
		}
	}

}
