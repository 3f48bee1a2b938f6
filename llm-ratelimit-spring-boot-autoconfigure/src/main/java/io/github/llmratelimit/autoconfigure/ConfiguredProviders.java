package io.github.llmratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.autoconfigure.ProviderSettings.Mode;
import io.github.llmratelimit.estimation.EstimateOptions;
import io.github.llmratelimit.exchange.ExchangeOptions;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.retry.RetryPolicy;
import reactor.core.publisher.Mono;

/**
 * The settings of all providers.
 *
 * @param all the configured ones, also those that are switched off
 * @param known those that nobody has configured, but which are recognized by their URLs
 */
record ConfiguredProviders(List<ProviderSettings> all, List<ProviderSettings> known) {

	ConfiguredProviders {
		all = List.copyOf(all);
		known = List.copyOf(known);
	}

	List<Provider> providers() {
		return Stream.concat(this.all.stream(), this.known.stream())
			.map((settings) -> (settings.mode() == Mode.OFF) ? settings.provider().unlimited() : settings.provider())
			.toList();
	}

	List<ProviderPlan> plans() {
		return plans(this.all);
	}

	List<ProviderPlan> knownPlans() {
		return plans(this.known);
	}

	private static List<ProviderPlan> plans(List<ProviderSettings> settings) {
		return limited(settings.stream()).map((provider) -> provider.plan().withShadow(provider.mode() == Mode.SHADOW))
			.toList();
	}

	Map<String, RetryPolicy> retryPolicies() {
		return byName((settings) -> (settings.mode() == Mode.SHADOW) ? settings.retryPolicy().neverRetrying()
				: settings.retryPolicy());
	}

	/**
	 * A fallback that answers only where limits are enforced: in the shadow a caller gets
	 * what the provider says.
	 */
	LlmFallback whereEnforced(LlmFallback fallback) {
		Set<String> enforced = Stream.concat(this.all.stream(), this.known.stream())
			.filter((settings) -> settings.mode() == Mode.ENFORCE)
			.map(ProviderSettings::name)
			.collect(Collectors.toSet());
		return (refused) -> enforced.contains(refused.call().provider()) ? fallback.answer(refused) : Mono.empty();
	}

	Map<String, ExchangeOptions> exchangeOptions() {
		return byName((settings) -> new ExchangeOptions(settings.permitTimeout(), settings.requestStreamUsage(),
				settings.plan().queue(), settings.mode() != Mode.SHADOW));
	}

	Map<String, EstimateOptions> estimates() {
		return byName(ProviderSettings::estimates);
	}

	List<ProviderPlan> allPlans() {
		return Stream.concat(plans().stream(), knownPlans().stream()).toList();
	}

	private static Stream<ProviderSettings> limited(Stream<ProviderSettings> settings) {
		return settings.filter((provider) -> provider.mode() != Mode.OFF);
	}

	private <T> Map<String, T> byName(Function<ProviderSettings, T> value) {
		return limited(Stream.concat(this.all.stream(), this.known.stream()))
			.collect(Collectors.toMap(ProviderSettings::name, value));
	}

}
