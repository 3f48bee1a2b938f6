package io.github.llmratelimit.autoconfigure;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.autoconfigure.BackoffProperties.Rung;
import io.github.llmratelimit.autoconfigure.ProviderProperties.Estimator;
import io.github.llmratelimit.autoconfigure.ProviderProperties.ModelGroup;
import io.github.llmratelimit.autoconfigure.ProviderProperties.Queue;
import io.github.llmratelimit.autoconfigure.ProviderProperties.Tokens;
import io.github.llmratelimit.autoconfigure.ProviderSettings.Mode;
import io.github.llmratelimit.provider.ProviderDialect;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.ClassUtils;

/**
 * Finds everything that is wrong with the properties: single values where they are
 * written, the rest once providers have inherited from the defaults.
 */
final class PropertiesValidator {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(LlmRateLimitProperties.PREFIX);

	private static final String JTOKKIT = "com.knuddels.jtokkit.Encodings";

	private static final int MOST_OUTPUT_FACTOR = 1000;

	private final KnownDialects dialects;

	private final Problems problems = new Problems();

	private final LimitsValidator limits = new LimitsValidator(this.problems);

	private final KeysValidator keys = new KeysValidator(this.problems);

	private final Map<URI, String> ownersOfUrls = new HashMap<>();

	PropertiesValidator(KnownDialects dialects) {
		this.dialects = dialects;
	}

	/**
	 * Check properties.
	 * @param properties the properties
	 * @throws InvalidPropertiesException if something is wrong
	 */
	void validate(LlmRateLimitProperties properties) {
		validateValues(ROOT.append("defaults"), properties.defaults());
		this.keys.validateDefaults(ROOT.append("defaults.keys"), properties.defaults().keys());
		properties.providers().forEach((name, provider) -> validateValues(pathOf(name), provider));
		properties.inherited().forEach(this::validateInherited);
		properties.alerts().validate(ROOT.append("alerts"), this.problems);
		this.problems.throwIfAny();
	}

	private static ConfigurationPropertyName pathOf(String provider) {
		return child(ROOT.append("providers"), provider);
	}

	private static ConfigurationPropertyName child(ConfigurationPropertyName path, String key) {
		return path.append(ConfigurationPropertyName.isValid(key) ? key : "[" + key + "]");
	}

	private void validateValues(ConfigurationPropertyName path, ProviderProperties provider) {
		this.limits.validate(path.append("limits"), provider.limits());
		provider.models()
			.forEach((name, group) -> this.limits.validate(child(path.append("models"), name).append("limits"),
					group.limits()));
		provider.accounts()
			.forEach((name, account) -> this.limits.validate(child(path.append("accounts"), name).append("limits"),
					account.limits()));
		this.keys.validate(path.append("keys"), provider.keys());
		validateMargin(path.append("safety-margin"), provider.safetyMargin());
		this.problems.requirePositive(path.append("burst"), provider.burst());
		this.problems.requireNotNegative(path.append("window-slack"), provider.windowSlack());
		this.problems.requirePositive(path.append("permit-timeout"), provider.permitTimeout());
		validateQueue(path.append("queue"), provider.queue());
		validateTokens(path.append("tokens"), provider.tokens());
		validateBackoff(path.append("backoff"), provider.backoff());
		validateAdaptive(path.append("adaptive"), provider.adaptive());
		BaseUrls.validate(path.append("base-urls"), provider.baseUrls(), this.problems);
	}

	private void validateMargin(ConfigurationPropertyName name, @Nullable Double margin) {
		if (margin != null && !(margin > 0 && margin <= 1)) {
			this.problems.report(name, margin, "must be above 0 and at most 1",
					"Set %s to the share of each limit to use, for example 0.95.".formatted(name));
		}
	}

	private void validateQueue(ConfigurationPropertyName path, Queue queue) {
		this.problems.requirePositive(path.append("capacity"), queue.capacity(),
				"Set %s to the number of calls that may wait at once.".formatted(path.append("capacity")));
		ConfigurationPropertyName maxWait = path.append("max-wait");
		this.problems.requireNotNegative(maxWait.append("interactive"), queue.maxWait().interactive());
		this.problems.requireNotNegative(maxWait.append("normal"), queue.maxWait().normal());
		this.problems.requireNotNegative(maxWait.append("batch"), queue.maxWait().batch());
		this.problems.requireShareBelowAll(path.append("low-priority-share"), queue.lowPriorityShare());
		this.problems.requireShareBelowAll(path.append("interactive-headroom"), queue.interactiveHeadroom());
	}

	private void validateTokens(ConfigurationPropertyName path, Tokens tokens) {
		if (tokens.estimator() == Estimator.JTOKKIT && !ClassUtils.isPresent(JTOKKIT, null)) {
			this.problems.report(path.append("estimator"), "jtokkit", "needs a tokenizer that is not on the class path",
					"Add the dependency com.knuddels:jtokkit, or set %s to auto.".formatted(path.append("estimator")));
		}
		this.problems.requireNotNegative(path.append("history"), tokens.history(),
				"Set %s to a number of calls, or to 0 to learn nothing.".formatted(path.append("history")));
		validateQuantile(path.append("output-quantile"), tokens.outputQuantile());
		validateFactor(path.append("output-factor"), tokens.outputFactor());
	}

	private void validateQuantile(ConfigurationPropertyName name, @Nullable Double quantile) {
		if (quantile != null && !(quantile > 0 && quantile <= 1)) {
			this.problems.report(name, quantile, "must be above 0 and at most 1",
					"Set %s to the share of answers that are to be no longer than what is reserved, for example 0.9."
						.formatted(name));
		}
	}

	private void validateFactor(ConfigurationPropertyName name, @Nullable Double factor) {
		if (factor != null && !(factor >= 0 && factor <= MOST_OUTPUT_FACTOR)) {
			this.problems.report(name, factor, "must be between 0 and " + MOST_OUTPUT_FACTOR,
					"Set %s to how many times its prompt an answer is long, for example 3.".formatted(name));
		}
	}

	private void validateBackoff(ConfigurationPropertyName path, BackoffProperties backoff) {
		this.problems.requirePositive(path.append("max-attempts"), backoff.maxAttempts(),
				"Set %s to 1 for no retry, or higher.".formatted(path.append("max-attempts")));
		this.problems.requirePositive(path.append("base-delay"), backoff.baseDelay());
		this.problems.requirePositive(path.append("max-delay"), backoff.maxDelay());
		this.problems.requirePositive(path.append("recheck-after"), backoff.recheckAfter());
		for (String failure : backoff.retryOn()) {
			if (!failure.equals(BackoffProperties.CONNECTION_LOST) && !failure.matches("[45]\\d\\d")) {
				this.problems.report(path.append("retry-on"), failure, "must be HTTP error statuses or connection-lost",
						"Name the failures to retry, for example [500, 502, connection-lost].");
			}
		}
		for (int i = 0; i < backoff.pauseLadder().size(); i++) {
			validateRung(path.append("pause-ladder[" + i + "]"), backoff.pauseLadder().get(i));
		}
		Double multiplier = backoff.multiplier();
		if (multiplier != null && !(multiplier >= 1)) {
			this.problems.report(path.append("multiplier"), multiplier, "must be at least 1",
					"Set %s to 1 or more; 2 doubles the wait each time.".formatted(path.append("multiplier")));
		}
		for (int status : backoff.statuses()) {
			if (status < 400 || status > 599) {
				this.problems.report(path.append("statuses"), status, "must be HTTP error statuses, 400 to 599",
						"Name the statuses by which the provider throttles, for example [429].");
			}
		}
	}

	private void validateAdaptive(ConfigurationPropertyName path, AdaptiveProperties adaptive) {
		this.problems.requireShare(path.append("start"), adaptive.start(), "80%");
		this.problems.requireShare(path.append("increase"), adaptive.increase(), "2%");
		this.problems.requirePositive(path.append("every"), adaptive.every());
		Share decrease = adaptive.decrease();
		if (decrease != null && !(decrease.value() > 0 && decrease.value() < 1)) {
			this.problems.report(path.append("decrease"), decrease, "must be above 0 % and below 100 %",
					"Set %s to a share such as 30%%.".formatted(path.append("decrease")));
		}
	}

	private void validateRung(ConfigurationPropertyName path, Rung rung) {
		String remedy = "Write each pause as in {after: 5, pause: 30s}.";
		this.problems.requireSet(path.append("after"), rung.after(), remedy);
		this.problems.requirePositive(path.append("after"), rung.after(), remedy);
		this.problems.requireSet(path.append("pause"), rung.pause(), remedy);
		this.problems.requirePositive(path.append("pause"), rung.pause());
	}

	private void validateInherited(String name, ProviderProperties provider) {
		ConfigurationPropertyName path = pathOf(name);
		provider.models()
			.forEach((group, properties) -> validateGroup(child(path.append("models"), group), group, properties));
		if (provider.accounts().containsKey(LimitScope.ANY_ACCOUNT)) {
			this.problems.report(child(path.append("accounts"), LimitScope.ANY_ACCOUNT), null,
					"has a name that stands for any account", "Give the account another name.");
		}
		validateDelays(path.append("backoff"), provider.backoff());
		ProviderDialect dialect = this.dialects.dialectFor(name, provider);
		if (dialect != null) {
			validateUrls(name, provider, dialect);
		}
		else {
			reportUnknownDialect(path, this.dialects.nameFor(name, provider));
		}
	}

	private void validateGroup(ConfigurationPropertyName path, String name, ModelGroup group) {
		if (ProviderPlan.ANY_MODEL.equals(name)) {
			this.problems.report(path, null, "has a name that stands for the models of no group",
					"Give the group another name, and let it match \"*\".");
		}
		if (group.match().stream().allMatch(String::isBlank)) {
			this.problems.report(path.append("match"), null, "must name at least one model",
					"List the models of the group, for example %s: [\"gpt-4o-mini*\"]."
						.formatted(path.append("match")));
		}
	}

	private void validateDelays(ConfigurationPropertyName path, BackoffProperties backoff) {
		if (SettingsFactory.maxDelayOf(backoff).compareTo(SettingsFactory.baseDelayOf(backoff)) < 0) {
			this.problems.report(path.append("max-delay"), ShortDuration.print(SettingsFactory.maxDelayOf(backoff)),
					"must not be shorter than base-delay, which is "
							+ ShortDuration.print(SettingsFactory.baseDelayOf(backoff)),
					"Raise max-delay or lower base-delay.");
		}
	}

	private void reportUnknownDialect(ConfigurationPropertyName path, String dialect) {
		String nearest = Nearest.to(dialect, this.dialects.names());
		String known = "The dialects are: %s."
			.formatted(String.join(", ", this.dialects.names().stream().sorted().toList()));
		this.problems.report(path.append("dialect"), dialect, "is not a dialect",
				(nearest != null) ? "Did you mean %s? %s".formatted(nearest, known) : known);
	}

	private void validateUrls(String name, ProviderProperties provider, ProviderDialect dialect) {
		ConfigurationPropertyName path = pathOf(name).append("base-urls");
		List<String> urls = KnownDialects.baseUrls(dialect, provider);
		if (urls.isEmpty()) {
			this.problems.report(path, null,
					"must be set, because the dialect %s has no URL of its own".formatted(dialect.name()),
					"Set %s to the URLs below which the provider is found.".formatted(path));
		}
		if (provider.mode() != Mode.OFF) {
			urls.stream().filter(BaseUrls::isValid).forEach((url) -> requireOnlyOwner(path, name, url));
		}
	}

	private void requireOnlyOwner(ConfigurationPropertyName path, String name, String url) {
		String owner = this.ownersOfUrls.putIfAbsent(BaseUrls.normalize(url), name);
		if (owner != null && !owner.equals(name)) {
			this.problems.report(path, url, "is also a base URL of the provider " + owner,
					"Give each provider base URLs of its own, or make them accounts of one provider.");
		}
	}

}
