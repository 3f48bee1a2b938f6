package io.github.llmratelimit.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of {@code llm.ratelimit}, as they are written. Unknown keys are refused:
 * a misspelled limit must not mean no limit.
 *
 * @param enabled Whether calls to the configured providers are limited at all.
 * @param defaults Settings that every provider inherits, key by key.
 * @param providers Providers by name, each with its limits.
 * @param alerts Where people are told of what closes.
 * @param problemResponses Whether a web application answers a request whose call was not
 * admitted with a problem response.
 */
@ConfigurationProperties(prefix = LlmRateLimitProperties.PREFIX, ignoreUnknownFields = false)
record LlmRateLimitProperties(@DefaultValue("true") boolean enabled,
		@DefaultValue @NestedConfigurationProperty ProviderProperties defaults,
		@DefaultValue Map<String, ProviderProperties> providers,
		@DefaultValue @NestedConfigurationProperty AlertsProperties alerts,
		@DefaultValue("true") boolean problemResponses) {

	static final String PREFIX = "llm.ratelimit";

	/**
	 * The providers with all they inherit from the defaults.
	 * @return the providers by name, in the order in which they are written
	 */
	Map<String, ProviderProperties> inherited() {
		Map<String, ProviderProperties> inherited = new LinkedHashMap<>();
		this.providers.forEach((name, provider) -> inherited.put(name, provider.or(this.defaults)));
		return inherited;
	}

}
