package io.github.llmratelimit.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;

/**
 * Warns of an application that lets Spring AI repeat calls.
 */
final class SpringAiRetryCheck implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(SpringAiRetryCheck.class);

	private final Environment environment;

	SpringAiRetryCheck(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void afterSingletonsInstantiated() {
		int retries = this.environment.getProperty(SpringAiRetries.PROPERTY, Integer.class, 0);
		if (retries > 0) {
			logger
				.warn(("%s is %d, so Spring AI repeats calls on top of llm.ratelimit.providers.*.backoff.max-attempts."
						+ " Remove it or set it to 0, and configure backoff instead.")
					.formatted(SpringAiRetries.PROPERTY, retries));
		}
	}

}
