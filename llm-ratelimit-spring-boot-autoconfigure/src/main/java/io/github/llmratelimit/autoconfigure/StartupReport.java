package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.autoconfigure.ProviderSettings.Mode;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What the log says at start-up: one line for each provider.
 */
final class StartupReport {

	private static final Log logger = LogFactory.getLog(LlmRateLimitAutoConfiguration.class);

	/** Who restarts within an hour has to be careful anyway. */
	private static final Duration LONGEST_FORGOTTEN = Duration.ofHours(1);

	private StartupReport() {
	}

	static void log(ConfiguredProviders providers) {
		if (providers.all().isEmpty()) {
			logger.info("No LLM provider is configured below llm.ratelimit.providers: " + describeKnown(providers));
		}
		providers.all().forEach((settings) -> logger.info(describe(settings)));
	}

	private static String describeKnown(ConfiguredProviders providers) {
		return providers.known().isEmpty() ? "nothing is limited"
				: "calls to known providers are held within the limits that those announce in their responses";
	}

	/** What limits that live in memory alone forget when the application ends. */
	static void logWhatIsForgotten(ConfiguredProviders providers) {
		List<String> forgotten = providers.plans().stream().flatMap(StartupReport::longLimits).distinct().toList();
		if (!forgotten.isEmpty()) {
			logger.warn("What is used of long limits is kept in memory only and does not survive a restart: "
					+ String.join(", ", forgotten));
		}
	}

	private static Stream<String> longLimits(ProviderPlan plan) {
		return Stream.concat(plan.accounts().values().stream(), plan.models().stream().map(ModelGroup::plan))
			.flatMap((limits) -> limits.limits().stream())
			.filter((limit) -> limit.per().compareTo(LONGEST_FORGOTTEN) > 0)
			.map((limit) -> plan.provider() + " " + limit.name());
	}

	static String describe(ProviderSettings settings) {
		String provider = "LLM provider %s (dialect %s, %s)".formatted(settings.name(),
				settings.provider().dialect().name(), settings.provider().baseUrls());
		if (settings.mode() == Mode.OFF) {
			return provider + " is not limited: its mode is off";
		}
		String how = (settings.mode() == Mode.SHADOW) ? " is watched, and nobody waits: " : " is limited: ";
		List<String> levels = new ArrayList<>();
		settings.plan().accounts().forEach((name, plan) -> levels.add("account " + name + " " + describe(plan)));
		settings.plan()
			.models()
			.forEach((group) -> levels.add("models " + group.match() + " " + describe(group.plan())));
		settings.plan().keys().accountsWithKeys().forEach((account) -> levels.add(describeKeys(settings, account)));
		return provider + how + String.join("; ", levels);
	}

	private static String describeKeys(ProviderSettings settings, String account) {
		return "keys %s of account %s".formatted(settings.plan().keys().of(account), account);
	}

	private static String describe(LimitPlan plan) {
		List<String> limits = new ArrayList<>();
		for (Limit limit : plan.limits()) {
			limits.add("%s=%d (%s, effective %d)".formatted(limit.name(), limit.amount(), limit.algorithm().label(),
					limit.effective()));
		}
		if (plan.maxConcurrency() != null) {
			limits.add("max-concurrency=" + plan.maxConcurrency());
		}
		return limits.isEmpty() ? "without limits" : String.join(", ", limits);
	}

}
