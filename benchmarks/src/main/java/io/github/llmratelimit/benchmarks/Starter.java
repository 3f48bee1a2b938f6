package io.github.llmratelimit.benchmarks;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitLearning;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import io.github.llmratelimit.webclient.LlmRateLimitFilter;
import io.github.llmratelimit.webclient.LlmRateLimitWebClientCustomizer;

/**
 * What the starter configures for one provider of the dialect {@code openai}, put
 * together by hand so that its time may be virtual.
 */
public final class Starter {

	/** Name of the provider. */
	public static final String PROVIDER = "openai";

	private static final ProviderDialect DIALECT = Objects.requireNonNull(Dialects.builtIn().get(PROVIDER));

	private static final Duration SLACK = Duration.ofSeconds(1);

	private static final int SMALLEST_SHARE_OF_A_WINDOW = 50;

	private static final int MAX_ATTEMPTS = 4;

	private static final double DEFAULT_MARGIN = 0.95;

	private Starter() {
	}

	/**
	 * A limit per minute with the default slack.
	 * @param counts what it counts
	 * @param amount how much
	 * @param margin the share of it that is used
	 * @return the limit
	 */
	public static Limit perMinute(Counted counts, long amount, double margin) {
		return limit(counts, amount, Duration.ofMinutes(1), margin);
	}

	/**
	 * A limit with the default slack: a second, at most 2 % of its window.
	 * @param counts what it counts
	 * @param amount how much
	 * @param per its window
	 * @param margin the share of it that is used
	 * @return the limit
	 */
	public static Limit limit(Counted counts, long amount, Duration per, double margin) {
		Duration most = per.dividedBy(SMALLEST_SHARE_OF_A_WINDOW);
		return Limit.of(counts.label() + " per " + per, counts, amount, per, DIALECT.algorithm(counts))
			.withMargin(margin)
			.withSlack((most.compareTo(SLACK) < 0) ? most : SLACK);
	}

	/**
	 * The plan of a provider with one account.
	 * @param limits limits of the account
	 * @return the plan
	 */
	public static ProviderPlan plan(LimitPlan limits) {
		return ProviderPlan.of(PROVIDER, limits)
			.withGivesBack(DIALECT.givesBack())
			.withLearning(new LimitLearning(DIALECT.separatesModels(),
					(counts, amount, per) -> limit(counts, amount, per, DEFAULT_MARGIN)));
	}

	/**
	 * The customizer of every web client.
	 * @param plan the provider's plan
	 * @param baseUrl where the provider is found
	 * @param time the time
	 * @param seed seed of the jitter
	 * @param listeners who is told what happens
	 * @return the customizer
	 */
	public static LlmRateLimitWebClientCustomizer customizer(ProviderPlan plan, URI baseUrl, TimeSource time, long seed,
			RateLimitListener... listeners) {
		CallEstimator estimator = new CallEstimator(new HeuristicTokenEstimator(), List.of(plan), Map.of());
		List<RateLimitListener> all = Stream.concat(Stream.of(estimator), Arrays.stream(listeners)).toList();
		AdmissionController limiter = new AdmissionController(List.of(plan), new LocalLimitStore(time), time, all);
		RetryPolicy policy = new RetryPolicy(MAX_ATTEMPTS, Backoff.DEFAULT, new Random(seed)::nextDouble);
		LlmCallPipeline pipeline = new LlmCallPipeline(limiter, Map.of(PROVIDER, policy), time, all);
		ProviderRegistry providers = new ProviderRegistry(List.of(new Provider(PROVIDER, DIALECT, List.of(baseUrl))));
		return new LlmRateLimitWebClientCustomizer(
				new LlmRateLimitFilter(new LlmExchanges(providers, pipeline, estimator, time, Map.of())));
	}

}
