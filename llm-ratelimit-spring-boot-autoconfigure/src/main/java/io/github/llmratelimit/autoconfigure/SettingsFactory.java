package io.github.llmratelimit.autoconfigure;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

import io.github.llmratelimit.AdaptiveRules;
import io.github.llmratelimit.ClosingRules;
import io.github.llmratelimit.ClosingRules.Rung;
import io.github.llmratelimit.KeyPool;
import io.github.llmratelimit.KeyPool.Selection;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.autoconfigure.AdaptiveProperties.Ceiling;
import io.github.llmratelimit.autoconfigure.ProviderProperties.Estimator;
import io.github.llmratelimit.autoconfigure.ProviderProperties.OnExhausted;
import io.github.llmratelimit.autoconfigure.ProviderProperties.Queue;
import io.github.llmratelimit.autoconfigure.ProviderProperties.ReserveOutput;
import io.github.llmratelimit.autoconfigure.ProviderProperties.Tokens;
import io.github.llmratelimit.autoconfigure.ProviderSettings.Mode;
import io.github.llmratelimit.estimation.EstimateOptions;
import io.github.llmratelimit.provider.KeyRing;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ThrottleStatuses;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import org.jspecify.annotations.Nullable;

/**
 * Turns valid properties into settings. Each value comes from the provider, else from the
 * defaults, else from its dialect, else from here.
 */
final class SettingsFactory {

	private static final double SAFETY_MARGIN = 0.95;

	private static final Duration WINDOW_SLACK = Duration.ofSeconds(1);

	private static final int MAX_ATTEMPTS = 4;

	private static final Backoff BACKOFF = Backoff.DEFAULT;

	private static final Share ADAPTIVE_START = new Share(0.8);

	private static final Share ADAPTIVE_INCREASE = new Share(0.02);

	private static final Duration ADAPTIVE_EVERY = Duration.ofSeconds(10);

	private static final Share ADAPTIVE_DECREASE = new Share(0.3);

	private static final DoubleSupplier RANDOM = () -> ThreadLocalRandom.current().nextDouble();

	private static final Duration PERMIT_TIMEOUT = Duration.ofMinutes(10);

	private final KnownDialects dialects;

	SettingsFactory(KnownDialects dialects) {
		this.dialects = dialects;
	}

	/**
	 * The settings of all configured providers.
	 * @param properties valid properties
	 * @return the settings, in the order of the properties
	 */
	List<ProviderSettings> create(LlmRateLimitProperties properties) {
		List<ProviderSettings> settings = new ArrayList<>();
		properties.inherited().forEach((name, provider) -> settings.add(create(name, provider)));
		return settings;
	}

	/**
	 * The settings of providers that nobody has configured, but which are known by their
	 * URLs: they learn their limits, and have none before. There are none if defaults
	 * rule that out.
	 * @param properties valid properties
	 * @return the settings, each named as its dialect
	 */
	List<ProviderSettings> known(LlmRateLimitProperties properties) {
		ProviderProperties defaults = properties.defaults();
		if (!either(defaults.learnLimits(), true) || defaults.mode() == Mode.OFF || !defaults.baseUrls().isEmpty()) {
			return List.of();
		}
		Set<URI> taken = new HashSet<>();
		properties.inherited()
			.forEach((name, provider) -> KnownDialects
				.baseUrls(Objects.requireNonNull(this.dialects.dialectFor(name, provider)), provider)
				.forEach((url) -> taken.add(BaseUrls.normalize(url))));
		return this.dialects.withPublicUrls()
			.filter((dialect) -> !properties.providers().containsKey(dialect.name()))
			.filter((dialect) -> dialect.baseUrls().stream().map(BaseUrls::normalize).noneMatch(taken::contains))
			.map((dialect) -> create(dialect.name(), defaults.learningOnly(dialect.name())))
			.toList();
	}

	private ProviderSettings create(String name, ProviderProperties properties) {
		ProviderDialect dialect = Objects.requireNonNull(this.dialects.dialectFor(name, properties));
		return new ProviderSettings(provider(name, dialect, properties), plan(name, dialect, properties),
				retryPolicy(properties), estimates(properties.tokens()),
				either(properties.permitTimeout(), PERMIT_TIMEOUT),
				either(properties.tokens().requestStreamUsage(), false), either(properties.mode(), Mode.ENFORCE));
	}

	private static Provider provider(String name, ProviderDialect dialect, ProviderProperties properties) {
		List<URI> urls = KnownDialects.baseUrls(dialect, properties).stream().map(URI::create).toList();
		return new Provider(name, ThrottleStatuses.of(dialect, properties.backoff().statuses()), urls)
			.withKeys(keyRing(properties));
	}

	private static ProviderPlan plan(String name, ProviderDialect dialect, ProviderProperties properties) {
		LimitRules rules = new LimitRules(dialect, properties.algorithm(),
				either(properties.safetyMargin(), SAFETY_MARGIN), either(properties.windowSlack(), WINDOW_SLACK),
				properties.burst());
		return new ProviderPlan(name, accounts(rules, properties), keyPool(properties), models(rules, properties),
				queue(properties.queue()), dialect.givesBack(),
				either(properties.learnLimits(), true) ? rules.learning() : null, closing(properties.backoff()),
				adaptive(properties.adaptive(), rules), false);
	}

	private static @Nullable AdaptiveRules adaptive(AdaptiveProperties properties, LimitRules rules) {
		if (!either(properties.enabled(), false)) {
			return null;
		}
		return new AdaptiveRules(either(properties.start(), ADAPTIVE_START).value(),
				either(properties.increase(), ADAPTIVE_INCREASE).value(), either(properties.every(), ADAPTIVE_EVERY),
				either(properties.decrease(), ADAPTIVE_DECREASE).value(), properties.ceiling() == Ceiling.NONE,
				rules.learning().rule());
	}

	private static Map<String, LimitPlan> accounts(LimitRules rules, ProviderProperties properties) {
		Map<String, LimitPlan> accounts = new LinkedHashMap<>();
		accounts.put(ProviderPlan.DEFAULT_ACCOUNT, rules.plan(properties.limits()));
		properties.accounts()
			.forEach((name, account) -> accounts.put(name, rules.plan(account.limits().or(properties.limits()))));
		properties.keys().forEach((key) -> accounts.putIfAbsent(key.account(), rules.plan(properties.limits())));
		return accounts;
	}

	private static KeyPool keyPool(ProviderProperties properties) {
		Map<String, String> accounts = new LinkedHashMap<>();
		properties.keys().forEach((key) -> accounts.put(Objects.requireNonNull(key.id()), key.account()));
		return new KeyPool(accounts, either(properties.keySelection(), Selection.LEAST_WAIT), RANDOM);
	}

	/* Keys that are read from files tend to end with a line. */
	private static KeyRing keyRing(ProviderProperties properties) {
		return new KeyRing(properties.keys()
			.stream()
			.map((key) -> new KeyRing.Key(Objects.requireNonNull(key.id()), Objects.requireNonNull(key.value()).strip(),
					key.account()))
			.toList(), either(properties.overrideKey(), false));
	}

	private static List<ModelGroup> models(LimitRules rules, ProviderProperties properties) {
		List<ModelGroup> models = new ArrayList<>();
		properties.models()
			.forEach((name, group) -> models.add(new ModelGroup(name, group.match(), rules.plan(group.limits()))));
		return models;
	}

	private static QueueRules queue(Queue properties) {
		Map<Priority, Duration> maxWait = new EnumMap<>(QueueRules.DEFAULT.maxWait());
		properties.maxWait().byPriority().forEach(maxWait::put);
		return new QueueRules(either(properties.capacity(), QueueRules.DEFAULT.capacity()), maxWait,
				share(properties.lowPriorityShare(), QueueRules.DEFAULT.lowPriorityShare()),
				share(properties.interactiveHeadroom(), QueueRules.DEFAULT.interactiveHeadroom()));
	}

	private static double share(@Nullable Share set, double otherwise) {
		return (set != null) ? set.value() : otherwise;
	}

	private static ClosingRules closing(BackoffProperties properties) {
		ClosingRules builtIn = ClosingRules.DEFAULT;
		List<Rung> ladder = properties.pauseLadder()
			.stream()
			.map((rung) -> new Rung(Objects.requireNonNull(rung.after()), Objects.requireNonNull(rung.pause()),
					rung.alert()))
			.toList();
		return new ClosingRules(either(properties.scope(), builtIn.scope()),
				ladder.isEmpty() ? builtIn.ladder() : ladder, either(properties.recheckAfter(), builtIn.recheckAfter()),
				either(properties.reopenRamp(), builtIn.ramp()));
	}

	private static RetryPolicy retryPolicy(ProviderProperties provider) {
		BackoffProperties properties = provider.backoff();
		Backoff backoff = new Backoff(either(properties.strategy(), BACKOFF.strategy()), baseDelayOf(properties),
				either(properties.multiplier(), BACKOFF.multiplier()), maxDelayOf(properties),
				either(properties.jitter(), BACKOFF.jitter()));
		Set<Integer> retryOn = properties.retryOn()
			.stream()
			.map((failure) -> failure.equals(BackoffProperties.CONNECTION_LOST) ? 0 : Integer.parseInt(failure))
			.collect(Collectors.toSet());
		return new RetryPolicy(either(properties.maxAttempts(), MAX_ATTEMPTS), backoff, retryOn,
				provider.onExhausted() == OnExhausted.EXCEPTION, RANDOM);
	}

	static Duration baseDelayOf(BackoffProperties backoff) {
		return either(backoff.baseDelay(), BACKOFF.baseDelay());
	}

	static Duration maxDelayOf(BackoffProperties backoff) {
		return either(backoff.maxDelay(), BACKOFF.maxDelay());
	}

	private static EstimateOptions estimates(Tokens properties) {
		EstimateOptions builtIn = EstimateOptions.DEFAULT;
		ReserveOutput reserved = either(properties.reserveOutput(), ReserveOutput.DIALECT);
		return new EstimateOptions(
				(properties.estimator() == Estimator.HEURISTIC) ? new HeuristicTokenEstimator() : builtIn.estimator(),
				either(properties.history(), builtIn.history()),
				either(properties.expectedOutput(), builtIn.expectation()),
				either(properties.outputQuantile(), builtIn.outputQuantile()),
				either(properties.outputFactor(), builtIn.outputFactor()), reserved.charge());
	}

	private static <T> T either(@Nullable T configured, T builtIn) {
		return (configured != null) ? configured : builtIn;
	}

}
