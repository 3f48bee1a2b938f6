package io.github.llmratelimit.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.actuate.ProviderInfo;
import io.github.llmratelimit.actuate.RateLimitEndpoint;
import io.github.llmratelimit.time.TimeSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the actuator endpoint, and of what no endpoint may show.
 */
@AutoConfiguration(after = { LlmRateLimitAutoConfiguration.class, LlmRateLimitWebClientAutoConfiguration.class })
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitEndpointAutoConfiguration {

	private static final Pattern WEBHOOK_URL = Pattern.compile("(?i)llm[._]ratelimit[._]alerts[._]webhook[-_]?url");

	private static final Pattern KEY = Pattern
		.compile("(?i)llm[._]ratelimit[._].+[._]keys([\\[_]\\d+\\]?([._]value)?)?");

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint
	RateLimitEndpoint llmRateLimitEndpoint(LlmRateLimiter limiter, ConfiguredProviders providers, TimeSource time,
			ObjectProvider<Integration> integrations) {
		List<String> names = integrations.stream().map(Integration::name).sorted().toList();
		Map<String, ProviderInfo> infos = new LinkedHashMap<>();
		providers.all().forEach((settings) -> infos.put(settings.name(), info(settings, names, true)));
		providers.known().forEach((settings) -> infos.put(settings.name(), info(settings, names, false)));
		return new RateLimitEndpoint(limiter, infos, time);
	}

	/*
	 * Whoever knows the URL may write there, and whoever knows a key may spend: nobody
	 * sees them, also if he may see all other values.
	 */
	@Bean
	SanitizingFunction llmRateLimitSanitizingFunction() {
		return SanitizingFunction.sanitizeValue().ifKeyMatches(WEBHOOK_URL, KEY);
	}

	private static ProviderInfo info(ProviderSettings settings, List<String> integrations, boolean configured) {
		return new ProviderInfo(settings.provider().dialect().name(), settings.mode().name().toLowerCase(Locale.ROOT),
				integrations, configured);
	}

}
