package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.autoconfigure.ProviderSettings.Mode;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.retry.RetryPolicy;

/**
 * The settings of all configured providers.
 *
 * @param all the settings, also of providers that are switched off
 */
record ConfiguredProviders(List<ProviderSettings> all) {

	ConfiguredProviders {
		all = List.copyOf(all);
	}

	List<Provider> providers() {
		return this.all.stream()
			.map((settings) -> (settings.mode() == Mode.OFF) ? settings.provider().unlimited() : settings.provider())
			.toList();
	}

	List<ProviderPlan> plans() {
		return enforced().stream().map(ProviderSettings::plan).toList();
	}

	Map<String, RetryPolicy> retryPolicies() {
		return byName(ProviderSettings::retryPolicy);
	}

	Map<String, Duration> permitTimeouts() {
		return byName(ProviderSettings::permitTimeout);
	}

	private List<ProviderSettings> enforced() {
		return this.all.stream().filter((settings) -> settings.mode() != Mode.OFF).toList();
	}

	private <T> Map<String, T> byName(Function<ProviderSettings, T> value) {
		return enforced().stream().collect(Collectors.toMap(ProviderSettings::name, value));
	}

}
