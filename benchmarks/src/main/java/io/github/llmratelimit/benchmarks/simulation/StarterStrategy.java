package io.github.llmratelimit.benchmarks.simulation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.autoconfigure.LlmRateLimitAutoConfiguration;
import io.github.llmratelimit.autoconfigure.LlmRateLimitProviderCustomizer;
import io.github.llmratelimit.autoconfigure.LlmRateLimitWebClientAutoConfiguration;
import io.github.llmratelimit.autoconfigure.ProviderSettings;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.webclient.LlmRateLimitWebClientCustomizer;
import reactor.core.publisher.Mono;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * The starter, configured by properties as in any application.
 *
 * @param properties properties of the application
 */
public record StarterStrategy(Map<String, Object> properties) implements Strategy {

	private static final String PROVIDER = "llm.ratelimit.providers.openai.";

	/** The limits of {@link Experiment#provider()}, all else as it comes. */
	public static final StarterStrategy DEFAULT = new StarterStrategy(
			Map.of("logging.level.root", "warn", "spring.main.register-shutdown-hook", false))
		.with("limits.requests-per-minute", Experiment.REQUESTS_PER_MINUTE)
		.with("limits.tokens-per-minute", Experiment.TOKENS_PER_MINUTE);

	/** All of these limits. */
	public static final StarterStrategy FULL = DEFAULT.with("safety-margin", 1.0);

	public StarterStrategy {
		properties = Map.copyOf(properties);
	}

	/**
	 * The same with another property.
	 * @param property its name below the provider
	 * @param value its value
	 * @return the strategy
	 */
	public StarterStrategy with(String property, Object value) {
		Map<String, Object> added = new LinkedHashMap<>(this.properties);
		added.put(PROVIDER + property, value);
		return new StarterStrategy(added);
	}

	@Override
	public UnaryOperator<Mono<Void>> prepare(WebClient.Builder client, VirtualTime time, long seed) {
		ApplicationContext application = new SpringApplicationBuilder(LlmRateLimitAutoConfiguration.class,
				LlmRateLimitWebClientAutoConfiguration.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties(this.properties)
			.initializers((GenericApplicationContext context) -> replaceChance(context, time, seed))
			.run();
		application.getBean(LlmRateLimitWebClientCustomizer.class).customize(client);
		return UnaryOperator.identity();
	}

	private static void replaceChance(GenericApplicationContext context, VirtualTime time, long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		context.registerBean(TimeSource.class, () -> time);
		context.registerBean(LlmRateLimitProviderCustomizer.class, () -> (settings) -> seeded(settings, random));
	}

	private static ProviderSettings seeded(ProviderSettings settings, SplittableRandom random) {
		RetryPolicy policy = settings.retryPolicy();
		return settings.withRetryPolicy(new RetryPolicy(policy.maxAttempts(), policy.backoff(), policy.retryOn(),
				policy.failsWhenExhausted(), random::nextDouble));
	}

}
