package io.github.llmratelimit.autoconfigure;

import java.net.URI;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.llmratelimit.AdaptiveRules;
import io.github.llmratelimit.ClosingRules;
import io.github.llmratelimit.ClosingRules.Rung;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.DailyReset;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.autoconfigure.ProviderSettings.Mode;
import io.github.llmratelimit.estimation.EstimateOptions;
import io.github.llmratelimit.estimation.EstimateOptions.Expectation;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.Backoff.Jitter;
import io.github.llmratelimit.retry.Backoff.Strategy;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link SettingsFactory}: what follows from which properties.
 */
class SettingsFactoryTests {

	@Test
	void fillsInWhatIsBuiltIn() {
		ProviderSettings settings = settings("""
				providers:
				  acme: {limits: {requests-per-minute: 500, tokens-per-minute: 200000, max-concurrency: 50}}
				""");
		LimitPlan plan = account(settings, "default");
		assertThat(plan.maxConcurrency()).isEqualTo(50);
		assertThat(plan.limits()).containsExactly(
				new Limit("requests-per-minute", Counted.REQUESTS, 500, Duration.ofMinutes(1),
						LimitAlgorithm.SLIDING_WINDOW, 0.95, Duration.ofSeconds(1), null, null),
				new Limit("tokens-per-minute", Counted.TOKENS, 200_000, Duration.ofMinutes(1),
						LimitAlgorithm.TOKEN_BUCKET, 0.95, Duration.ofSeconds(1), null, null));
		assertThat(settings.plan().queue().capacity()).isEqualTo(10_000);
		assertThat(settings.plan().queue().lowPriorityShare()).isEqualTo(0.1);
		assertThat(settings.plan().queue().interactiveHeadroom()).isEqualTo(0.1);
		assertThat(settings.plan().queue().maxWait()).containsOnly(
				Map.entry(Priority.INTERACTIVE, Duration.ofSeconds(30)),
				Map.entry(Priority.NORMAL, Duration.ofMinutes(30)), Map.entry(Priority.BATCH, Duration.ofHours(24)));
		assertThat(settings.plan().givesBack()).isFalse();
		assertThat(settings.retryPolicy().maxAttempts()).isEqualTo(4);
		assertThat(settings.retryPolicy().backoff()).isEqualTo(Backoff.DEFAULT);
		assertThat(settings.permitTimeout()).isEqualTo(Duration.ofMinutes(10));
		assertThat(settings.mode()).isEqualTo(Mode.ENFORCE);
		assertThat(settings.provider().dialect().name()).isEqualTo("acme");
		assertThat(settings.provider().baseUrls()).containsExactly(URI.create("https://api.acme.example"));
	}

	@Test
	void readsWhatRefusalsDoToOthers() {
		ProviderSettings settings = settings(
				"""
						defaults:
						  backoff: {scope: provider, reopen-ramp: false}
						providers:
						  acme: {backoff: {recheck-after: 5m, pause-ladder: [{after: 3, pause: 1m}, {after: 9, pause: 1h, alert: true}]}}
						""");
		assertThat(settings.plan().closing()).isEqualTo(new ClosingRules(ClosingRules.Scope.PROVIDER,
				List.of(new Rung(3, Duration.ofMinutes(1), false), new Rung(9, Duration.ofHours(1), true)),
				Duration.ofMinutes(5), false));
	}

	@Test
	void adaptsLimitsOnlyIfAsked() {
		assertThat(settings("providers: {acme: {adaptive: {start: 50%}}}").plan().adaptive()).isNull();
		AdaptiveRules builtIn = settings("providers: {acme: {adaptive: {enabled: true}}}").plan().adaptive();
		assertThat(builtIn).usingRecursiveComparison()
			.ignoringFields("found")
			.isEqualTo(new AdaptiveRules(0.8, 0.02, Duration.ofSeconds(10), 0.3, false, (counts, amount, per) -> null));
		assertThat(builtIn.found().limit(Counted.TOKENS, 100, Duration.ofMinutes(1)).name())
			.isEqualTo("tokens-per-minute");
	}

	@Test
	void readsHowLimitsAreAdapted() {
		ProviderSettings settings = settings("""
				defaults:
				  adaptive: {enabled: true, start: 1, increase: 0.05, ceiling: none}
				providers:
				  acme: {adaptive: {every: 1m, decrease: 50%}}
				""");
		assertThat(settings.plan().adaptive()).usingRecursiveComparison()
			.ignoringFields("found")
			.isEqualTo(new AdaptiveRules(1, 0.05, Duration.ofMinutes(1), 0.5, true, (counts, amount, per) -> null));
	}

	@Test
	void takesFromProviderThenDefaultsKeyByKey() {
		ProviderSettings settings = settings("""
				defaults:
				  limits: {requests-per-minute: 10, tokens-per-minute: 1000}
				  safety-margin: 0.5
				  window-slack: 100ms
				  queue: {capacity: 7, max-wait: {interactive: 1s, batch: 3s}, low-priority-share: 25%}
				  backoff: {max-attempts: 2, strategy: fixed, jitter: none, base-delay: 5s}
				  permit-timeout: 1m
				  mode: off
				providers:
				  acme:
				    limits: {requests-per-minute: 20}
				    queue: {max-wait: {interactive: 9s}, interactive-headroom: 0.05}
				    backoff: {max-attempts: 5, multiplier: 3, max-delay: 30s}
				    mode: enforce
				""");
		assertThat(account(settings, "default").limits()).extracting(Limit::name, Limit::amount, Limit::margin)
			.containsExactly(tuple("requests-per-minute", 20L, 0.5), tuple("tokens-per-minute", 1000L, 0.5));
		assertThat(account(settings, "default").limits()).extracting(Limit::slack).containsOnly(Duration.ofMillis(100));
		assertThat(settings.plan().queue().capacity()).isEqualTo(7);
		assertThat(settings.plan().queue().lowPriorityShare()).isEqualTo(0.25);
		assertThat(settings.plan().queue().interactiveHeadroom()).isEqualTo(0.05);
		assertThat(settings.plan().queue().maxWait()).containsOnly(
				Map.entry(Priority.INTERACTIVE, Duration.ofSeconds(9)),
				Map.entry(Priority.NORMAL, Duration.ofMinutes(30)), Map.entry(Priority.BATCH, Duration.ofSeconds(3)));
		assertThat(settings.retryPolicy().maxAttempts()).isEqualTo(5);
		assertThat(settings.retryPolicy().backoff())
			.isEqualTo(new Backoff(Strategy.FIXED, Duration.ofSeconds(5), 3, Duration.ofSeconds(30), Jitter.NONE));
		assertThat(settings.permitTimeout()).isEqualTo(Duration.ofMinutes(1));
		assertThat(settings.mode()).isEqualTo(Mode.ENFORCE);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			acme,           , acme
			acme,    generic, generic
			other,          , generic
			other,      acme, acme
			""")
	void choosesDialect(String provider, String dialect, String chosen) {
		ProviderSettings settings = settings("""
				providers:
				  %s:
				    base-urls: ["http://localhost"]
				    %s
				""".formatted(provider, (dialect != null) ? "dialect: " + dialect : ""));
		assertThat(settings.provider().dialect().name()).isEqualTo(chosen);
		assertThat(settings.provider().baseUrls()).containsExactly(URI.create("http://localhost"));
	}

	@ParameterizedTest
	@CsvSource({ "requests-per-second, requests, 1s, 20ms", "requests-per-minute, requests, 1m, 1s",
			"requests-per-hour, requests, 1h, 1s", "requests-per-day, requests, 1d, 1s",
			"tokens-per-minute, tokens, 1m, 1s", "tokens-per-hour, tokens, 1h, 1s", "tokens-per-day, tokens, 1d, 1s",
			"input-tokens-per-minute, input-tokens, 1m, 1s", "output-tokens-per-minute, output-tokens, 1m, 1s" })
	void readsEveryNamedLimit(String key, String counts, String per, String slack) {
		Limit limit = limit("limits: {%s: 60}".formatted(key));
		assertThat(limit.name()).isEqualTo(key);
		assertThat(limit.amount()).isEqualTo(60);
		assertThat(limit.counts().label()).isEqualTo(counts);
		assertThat(ShortDuration.print(limit.per())).isEqualTo(per);
		assertThat(ShortDuration.print(limit.slack())).isEqualTo(slack);
	}

	@ParameterizedTest
	@CsvSource({ "10s, 100ms, 100ms", "10s, 1s, 200ms", "1m, 5s, 1200ms", "1s, 0s, 0ms" })
	void widensWindowByTwoPercentAtMost(String per, String slack, String widened) {
		Limit limit = limit("""
				window-slack: %s
				limits: {windows: [{counts: requests, limit: 5, per: %s}]}
				""".formatted(slack, per));
		assertThat(limit.slack().toMillis() + "ms").isEqualTo(widened.replace("1s", "1000ms"));
	}

	@Test
	void readsWindowOfAnyKind() {
		Limit limit = limit("""
				limits:
				  windows:
				    - {counts: input-tokens, limit: 50, per: 10s, algorithm: token-bucket, slack: 3s}
				""");
		assertThat(limit).isEqualTo(new Limit("input-tokens-per-10s", Counted.INPUT_TOKENS, 50, Duration.ofSeconds(10),
				LimitAlgorithm.TOKEN_BUCKET, 0.95, Duration.ofSeconds(3), null, null));
	}

	@ParameterizedTest
	@CsvSource({ "00:00 America/Los_Angeles, 00:00, America/Los_Angeles", "07:30, 07:30, Z",
			"16:00 UTC+8, 16:00, UTC+08:00" })
	void resetsFixedWindowAtTimeOfDay(String text, String time, String zone) {
		Limit limit = limit(
				"limits: {windows: [{counts: requests, limit: 50, per: 1d, resets-at: \"%s\"}]}".formatted(text));
		assertThat(limit.name()).isEqualTo("requests-per-1d");
		assertThat(limit.algorithm()).isEqualTo(LimitAlgorithm.FIXED_WINDOW);
		assertThat(limit.resetsAt()).isEqualTo(new DailyReset(LocalTime.parse(time), ZoneId.of(zone)));
	}

	@Test
	void replacesInheritedWindowsAsWhole() {
		Limit limit = settingsOf(
				"""
						defaults: {limits: {windows: [{counts: requests, limit: 5, per: 1s}, {counts: tokens, limit: 5, per: 1s}]}}
						providers: {acme: {limits: {windows: [{counts: requests, limit: 6, per: 2s}]}}}
						""")
			.get(0)
			.plan()
			.accounts()
			.get("default")
			.limits()
			.get(0);
		assertThat(limit.name()).isEqualTo("requests-per-2s");
	}

	@Test
	void spacesLimitsOfUpToOneMinuteOnly() {
		LimitPlan plan = account(settings("""
				providers:
				  acme: {burst: 1s, limits: {requests-per-minute: 60, requests-per-hour: 1000, requests-per-day: 5000}}
				"""), "default");
		assertThat(plan.limits()).extracting(Limit::burst).containsExactly(Duration.ofSeconds(1), null, null);
	}

	@Test
	void readsHowCallsAreEstimated() {
		ProviderSettings settings = settingsOf("""
				defaults: {tokens: {estimator: heuristic, history: 5}}
				providers:
				  acme:
				    base-urls: https://api.acme.example
				    tokens: {expected-output: mean, output-quantile: 0.5, output-factor: 1.5, reserve-output: expected}
				""").get(0);
		EstimateOptions estimates = settings.estimates();
		assertThat(estimates.estimator()).isInstanceOf(HeuristicTokenEstimator.class);
		assertThat(estimates).usingRecursiveComparison()
			.ignoringFields("estimator")
			.isEqualTo(new EstimateOptions(null, 5, Expectation.MEAN, 0.5, 1.5, Charge.INPUT_PLUS_LIKELY_OUTPUT));
		assertThat(settingsOf("providers: {acme: {base-urls: https://api.acme.example}}").get(0).estimates())
			.isEqualTo(EstimateOptions.DEFAULT);
	}

	@Test
	void unitsAreCountedLikeRequests() {
		LimitPlan plan = account(settings("""
				providers:
				  acme:
				    algorithm: {requests: fixed-window, tokens: token-bucket}
				    limits: {windows: [{counts: units, limit: 50, per: 1m}]}
				"""), "default");
		assertThat(plan.limits()).singleElement()
			.isEqualTo(Limit.of("units-per-1m", Counted.UNITS, 50, Duration.ofMinutes(1), LimitAlgorithm.FIXED_WINDOW)
				.withMargin(0.95)
				.withSlack(Duration.ofSeconds(1)));
	}

	@Test
	void overridesAlgorithmOfDialect() {
		LimitPlan plan = account(settings("""
				providers:
				  acme:
				    algorithm: {requests: token-bucket, tokens: sliding-window}
				    limits: {requests-per-minute: 1, tokens-per-minute: 1, output-tokens-per-minute: 1}
				"""), "default");
		assertThat(plan.limits()).extracting(Limit::algorithm)
			.containsExactly(LimitAlgorithm.TOKEN_BUCKET, LimitAlgorithm.SLIDING_WINDOW, LimitAlgorithm.SLIDING_WINDOW);
	}

	@Test
	void keepsModelGroupsInOrderAndOwnOnesFirst() {
		ProviderPlan plan = settings("""
				defaults:
				  models:
				    large: {match: ["gpt*"], limits: {requests-per-minute: 1, tokens-per-minute: 2}}
				    small: {match: ["gpt-4o-mini*"], limits: {requests-per-minute: 3}}
				providers:
				  acme:
				    models: {small: {limits: {requests-per-minute: 4}}, other: {match: [o1, "o3*"]}}
				""").plan();
		assertThat(plan.models()).extracting(ModelGroup::name).containsExactly("small", "other", "large");
		assertThat(plan.models().get(0).match()).containsExactly("gpt-4o-mini*");
		assertThat(plan.models().get(0).plan().limits()).extracting(Limit::amount).containsExactly(4L);
		assertThat(plan.models().get(1).plan()).isEqualTo(LimitPlan.UNLIMITED);
		assertThat(plan.models().get(2).plan().limits()).extracting(Limit::amount).containsExactly(1L, 2L);
	}

	@Test
	void addsAccountsToDefaultOneAndReplacesTheirLimitsKeyByKey() {
		ProviderSettings settings = settings("""
				providers:
				  acme:
				    limits: {requests-per-minute: 500, max-concurrency: 9}
				    accounts:
				      team-b: {limits: {requests-per-minute: 100}}
				""");
		assertThat(settings.plan().accounts()).containsOnlyKeys("default", "team-b");
		assertThat(account(settings, "default").limits()).extracting(Limit::amount).containsExactly(500L);
		assertThat(account(settings, "team-b").limits()).extracting(Limit::amount).containsExactly(100L);
		assertThat(account(settings, "team-b").maxConcurrency()).isEqualTo(9);
	}

	@Test
	void letsDefaultAccountDiffer() {
		ProviderSettings settings = settings("""
				providers:
				  acme:
				    limits: {requests-per-minute: 500}
				    accounts: {default: {limits: {requests-per-minute: 100}}}
				""");
		assertThat(account(settings, "default").limits()).extracting(Limit::amount).containsExactly(100L);
	}

	@Test
	void limitsNothingThatIsNotSet() {
		assertThat(account(settings("providers: {acme: {mode: enforce}}"), "default")).isEqualTo(LimitPlan.UNLIMITED);
	}

	@Test
	void keepsOrderOfProviders() {
		assertThat(settingsOf("""
				providers:
				  b: {base-urls: ["https://b"]}
				  a: {base-urls: ["https://a"]}
				""")).extracting(ProviderSettings::name).containsExactly("b", "a");
	}

	private static Limit limit(String provider) {
		return account(settings("providers:\n  acme:\n" + provider.indent(4)), "default").limits().get(0);
	}

	private static LimitPlan account(ProviderSettings settings, String account) {
		return settings.plan().accounts().get(account);
	}

	private static ProviderSettings settings(String yaml) {
		return settingsOf(yaml).get(0);
	}

	private static List<ProviderSettings> settingsOf(String yaml) {
		KnownDialects dialects = KnownDialects.of(Stream.of(new AcmeDialect()));
		LlmRateLimitProperties properties = YamlProperties.bind(yaml);
		new PropertiesValidator(dialects).validate(properties);
		return new SettingsFactory(dialects).create(properties);
	}

	/**
	 * A dialect that differs from the generic one.
	 */
	private static final class AcmeDialect implements ProviderDialect {

		@Override
		public String name() {
			return "acme";
		}

		@Override
		public List<String> baseUrls() {
			return List.of("https://api.acme.example");
		}

		@Override
		public LimitAlgorithm algorithm(Counted counts) {
			return (counts == Counted.REQUESTS) ? LimitAlgorithm.SLIDING_WINDOW : LimitAlgorithm.TOKEN_BUCKET;
		}

		@Override
		public boolean givesBack() {
			return false;
		}

	}

}
