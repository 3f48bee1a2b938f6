package io.github.llmratelimit.autoconfigure;

import java.util.List;

import com.knuddels.jtokkit.Encodings;
import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.LlmAccountResolver;
import io.github.llmratelimit.LlmFailureClassifier;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrownResponse;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.exchange.ThrownResponses;
import io.github.llmratelimit.jtokkit.JtokkitTokenEstimator;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.restclient.RestClientResponseReader;
import io.github.llmratelimit.store.LimitStore;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import io.github.llmratelimit.token.TokenEstimator;
import io.github.llmratelimit.webclient.WebClientResponseReader;
import io.github.resilience4j.retry.RetryRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.client.RestClientResponseException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/**
 * Auto-configuration of the limiter itself, independent of any client.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LlmRateLimitProperties.class)
public final class LlmRateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	TimeSource llmRateLimitTimeSource() {
		return TimeSource.system();
	}

	@Bean
	@ConditionalOnMissingBean(LimitStore.class)
	LocalLimitStore llmRateLimitStore(TimeSource time, ConfiguredProviders providers) {
		StartupReport.logWhatIsForgotten(providers);
		return new LocalLimitStore(time);
	}

	@Bean
	@ConditionalOnMissingBean(TokenEstimator.class)
	HeuristicTokenEstimator llmRateLimitTokenEstimator() {
		return new HeuristicTokenEstimator();
	}

	@Bean
	@ConditionalOnMissingBean
	CallEstimator llmRateLimitCallEstimator(TokenEstimator estimator, ConfiguredProviders providers) {
		return new CallEstimator(estimator, providers.allPlans(), providers.estimates());
	}

	/* Never lazy: a wrong property stops the start, not the first call. */
	@Bean
	@Lazy(false)
	ConfiguredProviders llmRateLimitConfiguredProviders(LlmRateLimitProperties properties,
			ObjectProvider<ProviderDialect> dialects, ObjectProvider<LlmRateLimitProviderCustomizer> customizers) {
		KnownDialects known = KnownDialects.of(dialects.orderedStream());
		new PropertiesValidator(known).validate(properties);
		List<LlmRateLimitProviderCustomizer> ordered = customizers.orderedStream().toList();
		SettingsFactory factory = new SettingsFactory(known);
		ConfiguredProviders providers = new ConfiguredProviders(customize(factory.create(properties), ordered),
				customize(factory.known(properties), ordered));
		StartupReport.log(providers);
		return providers;
	}

	private static List<ProviderSettings> customize(List<ProviderSettings> settings,
			List<LlmRateLimitProviderCustomizer> customizers) {
		return settings.stream().map((provider) -> customize(provider, customizers)).toList();
	}

	private static ProviderSettings customize(ProviderSettings settings,
			List<LlmRateLimitProviderCustomizer> customizers) {
		ProviderSettings customized = settings;
		for (LlmRateLimitProviderCustomizer customizer : customizers) {
			customized = customizer.customize(customized);
		}
		return customized;
	}

	@Bean
	@ConditionalOnMissingBean
	ProviderRegistry llmRateLimitProviderRegistry(ConfiguredProviders providers) {
		return new ProviderRegistry(providers.providers());
	}

	@Bean
	@ConditionalOnMissingBean(CallAdmission.class)
	AdmissionController llmRateLimitAdmission(ConfiguredProviders providers, LimitStore store,
			ObjectProvider<LlmAccountResolver> resolver, TimeSource time, ObjectProvider<RateLimitListener> listeners) {
		return new AdmissionController(providers.plans(), providers.knownPlans(), store,
				resolver.getIfAvailable(() -> (call, context) -> null), time, listeners.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	LlmCallPipeline llmRateLimitCallPipeline(CallAdmission admission, ConfiguredProviders providers, TimeSource time,
			ObjectProvider<RateLimitListener> listeners, ObjectProvider<RetryRegistry> registry,
			ObjectProvider<LlmFallback> fallbacks) {
		return new LlmCallPipeline(admission, providers.retryPolicies(),
				registry.getIfUnique(RetryRegistry::ofDefaults), time, listeners.orderedStream().toList(),
				fallbacks.orderedStream().map(providers::whereEnforced).toList());
	}

	/* A limiter is an admission as well, but not the one that is meant by it. */
	@Bean
	@Fallback
	@ConditionalOnMissingBean
	LlmRateLimiter llmRateLimiter(LlmCallPipeline pipeline, ProviderRegistry registry,
			ObjectProvider<LlmFailureClassifier> classifiers, ObjectProvider<ThrownResponse.Reader> readers) {
		return pipeline.limiter(
				new ThrownResponses(registry, classifiers.orderedStream().toList(), readers.orderedStream().toList()));
	}

	@Bean
	@ConditionalOnMissingBean
	LlmExchanges llmRateLimitExchanges(ProviderRegistry registry, LlmCallPipeline pipeline, CallEstimator estimator,
			TimeSource time, ConfiguredProviders providers) {
		return new LlmExchanges(registry, pipeline, estimator, time, providers.exchangeOptions());
	}

	/**
	 * Counts by the real vocabulary where it is on the class path.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Encodings.class)
	static class JtokkitConfiguration {

		@Bean
		@ConditionalOnMissingBean(TokenEstimator.class)
		JtokkitTokenEstimator llmRateLimitJtokkitTokenEstimator() {
			return new JtokkitTokenEstimator();
		}

	}

	/**
	 * Reads what a WebClient throws inside a limited action.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebClientResponseException.class)
	static class WebClientResponseConfiguration {

		@Bean
		@ConditionalOnMissingBean
		WebClientResponseReader llmRateLimitWebClientResponseReader() {
			return new WebClientResponseReader();
		}

	}

	/**
	 * Reads what a RestClient or a RestTemplate throws inside a limited action.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RestClientResponseException.class)
	static class RestClientResponseConfiguration {

		@Bean
		@ConditionalOnMissingBean
		RestClientResponseReader llmRateLimitRestClientResponseReader() {
			return new RestClientResponseReader();
		}

	}

}
