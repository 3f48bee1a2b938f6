package io.github.llmratelimit.webclient;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

import io.github.llmratelimit.AdaptiveRules;
import io.github.llmratelimit.ClosingRules;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a crowd of calls does when the provider refuses, in virtual time.
 */
class RefusalScenariosTests {

	private static final String URL = "https://api.openai.com/v1/chat/completions";

	private static final int INSTANCES = 10;

	private final VirtualTime time = new VirtualTime();

	private final List<LevelChange> changes = new ArrayList<>();

	private final List<Object> results = new ArrayList<>();

	private AdmissionController limiter;

	@Test
	void oneRefusalHoldsBackEveryone() {
		SimulatedExchange provider = provider(SimulatorOptions.builder());
		WebClient client = client(provider, limits(1000), ClosingRules.DEFAULT);
		provider.script(answer(), answer(), refusal(439, "3"));
		call(client, 3);
		this.time.advance(Duration.ofSeconds(1));
		call(client, 97);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(provider.ledger().arrivals()).isEqualTo(3);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.results).hasSize(100).containsOnly(200);
		assertThat(provider.ledger().arrivals()).isEqualTo(101);
	}

	@Test
	void aProviderThatRefusesForMinutesIsAskedByTheLadderAndNotByTheCrowd() {
		SimulatedExchange provider = provider(SimulatorOptions.builder());
		WebClient client = client(provider, limits(10_000), ClosingRules.DEFAULT);
		provider.scriptForever(refusal(429, null));
		call(client, 500);
		this.time.advance(Duration.ofMillis(900));
		int firstBurst = provider.ledger().arrivals();
		this.time.advance(Duration.ofMinutes(5));
		assertThat(firstBurst).isEqualTo(500);
		assertThat(provider.ledger().arrivals() - firstBurst).isLessThan(60);
		assertThat(this.changes).extracting(LevelChange::state).contains(State.COOLING_DOWN, State.PAUSED);
	}

	@Test
	void whatWasClosedForLongOpensByAndBy() {
		SimulatedExchange provider = provider(SimulatorOptions.builder());
		WebClient client = client(provider, limits(10_000), ClosingRules.DEFAULT);
		provider.script(refusal(429, "30"));
		call(client, 1);
		this.time.advance(Duration.ofSeconds(1));
		call(client, 400);
		this.time.advance(Duration.ofMillis(29_100));
		assertThat(provider.ledger().arrivals()).isLessThanOrEqualTo(4);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.results).hasSize(401).containsOnly(200);
	}

	@Test
	void aProviderThatCutsItsMinuteIntoSlicesIsFoundOut() {
		SimulatedExchange provider = provider(SimulatorOptions.builder().requestsPerMinute(60).slices(60));
		WebClient client = client(provider, limits(60), ClosingRules.DEFAULT);
		call(client, 120);
		this.time.advance(Duration.ofMinutes(10));
		assertThat(this.results).hasSize(120).containsOnly(200);
		assertThat(provider.ledger().refused()).as("one burst of a minute's worth").isLessThan(62);
	}

	@Test
	void aLimitThatNobodyKnowsIsFound() {
		SimulatedExchange provider = provider(
				SimulatorOptions.builder().requestsPerMinute(60).headers(SimulatorOptions.Headers.RETRY_AFTER));
		AdaptiveRules adaptive = new AdaptiveRules(0.8, 0.02, Duration.ofSeconds(10), 0.3, false,
				(counts, amount, per) -> Limit.of("found", counts, amount, per, LimitAlgorithm.SLIDING_WINDOW)
					.withSlack(Duration.ofSeconds(1)));
		RetryPolicy policy = new RetryPolicy(4, Backoff.DEFAULT, new Random(1)::nextDouble);
		WebClient client = client(provider, ProviderPlan.of("openai", LimitPlan.UNLIMITED).withAdaptive(adaptive),
				policy, new RateLimitListener() {
				});
		call(client, 300);
		this.time.advance(Duration.ofMinutes(20));
		assertThat(this.results).hasSize(300).containsOnly(200);
		assertThat(provider.ledger().refused()).as("the first crowd and few more").isLessThan(260);
		LimitSnapshot found = this.limiter.snapshot().blockLast().accounts().get("default").limits().get(0);
		assertThat(found.source()).isEqualTo(LimitSnapshot.Source.ADAPTED);
		assertThat(found.effectiveLimit()).isBetween(30L, 90L);
	}

	@Test
	void aUsedUpQuotaFailsCallsAtOnceAndIsTriedAgain() {
		SimulatedExchange provider = provider(SimulatorOptions.builder());
		WebClient client = client(provider, limits(10_000), ClosingRules.DEFAULT);
		provider.script(quota(), quota());
		call(client, 2);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.results).containsExactly(429, 429);
		call(client, 3);
		assertThat(this.results).hasSize(5);
		assertThat(this.results.get(4)).isInstanceOfSatisfying(LlmRateLimitException.class, (failure) -> {
			assertThat(failure.reason()).isEqualTo(LlmRateLimitException.Reason.QUOTA_EXHAUSTED);
			assertThat(failure.retryAfter()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
		});
		assertThat(this.changes).extracting(LevelChange::state, LevelChange::alert)
			.containsExactly(org.assertj.core.api.Assertions.tuple(State.OUT_OF_SERVICE, true));
		this.time.advance(Duration.ofMinutes(10));
		call(client, 1);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.results.get(5)).isEqualTo(200);
		assertThat(this.changes.get(1).state()).isEqualTo(State.OPEN);
		call(client, 5);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.results.subList(6, 11)).containsOnly(200);
	}

	@ParameterizedTest
	@CsvSource({ "0, 1000", "0.018, 1000", "20, 20000", "'Wed, 08 Apr 2026 00:00:30 GMT', 30000",
			"'Tue, 07 Apr 2026 23:00:00 GMT', 1000", "1775606430, 30000" })
	void everyFormOfAHintIsKept(String hint, long millis) {
		SimulatedExchange provider = provider(SimulatorOptions.builder());
		WebClient client = client(provider, limits(1000), ClosingRules.DEFAULT);
		provider.script(refusal(429, hint).header("date", "Wed, 08 Apr 2026 00:00:00 GMT"));
		call(client, 1);
		this.time.advance(Duration.ofMillis(millis - 1));
		assertThat(provider.ledger().arrivals()).isEqualTo(1);
		this.time.advance(Duration.ofMillis(1300));
		assertThat(this.results).containsExactly(200);
	}

	@Test
	void aHintOfADayIsNotWaitedFor() {
		SimulatedExchange provider = provider(SimulatorOptions.builder());
		WebClient client = client(provider, limits(1000), ClosingRules.DEFAULT);
		provider.script(refusal(429, "86400"));
		call(client, 1);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.results).containsExactly(429);
		this.time.advance(Duration.ofMinutes(9));
		call(client, 1);
		this.time.advance(Duration.ofMinutes(2));
		assertThat(this.results).containsExactly(429, 200);
		assertThat(this.changes).extracting(LevelChange::state).containsExactly(State.COOLING_DOWN, State.OPEN);
	}

	@Test
	void aBanIsNeverProvoked() {
		SimulatedExchange provider = providerThatBans();
		call(client(provider, limits(30), ClosingRules.DEFAULT), 100);
		this.time.advance(Duration.ofMinutes(6));
		assertThat(this.results).hasSize(100).containsOnly(200);
		assertThat(provider.ledger().refusedBanned()).isZero();
	}

	@Test
	void whoeverOnlyRetriesIsBanned() {
		SimulatedExchange provider = providerThatBans();
		call(WebClient.builder().exchangeFunction(provider).filter(this::retryEverySecond).build(), 100);
		this.time.advance(Duration.ofMinutes(6));
		assertThat(this.results).hasSize(30);
		assertThat(provider.ledger().refusedBanned()).isGreaterThan(1000);
	}

	private SimulatedExchange providerThatBans() {
		return provider(
				SimulatorOptions.builder().requestsPerMinute(30).ban(3, Duration.ofMinutes(1), Duration.ofMinutes(10)));
	}

	private Mono<ClientResponse> retryEverySecond(ClientRequest request, ExchangeFunction next) {
		return next.exchange(request)
			.flatMap((response) -> (response.statusCode().value() == 200) ? Mono.just(response)
					: response.createException().flatMap(Mono::error))
			.retryWhen(Retry.indefinitely()
				.doBeforeRetryAsync((refusal) -> Mono.delay(Duration.ofSeconds(1), this.time.scheduler()).then()));
	}

	@Test
	void instancesThatWereToldTheSameTimeComeBackOneByOne() {
		SimulatedExchange provider = provider(SimulatorOptions.builder());
		provider.script(Collections.nCopies(INSTANCES, refusal(429, "20")).toArray(ScriptedResponse[]::new));
		callFromInstances(provider, limits(10), 1);
		this.time.advance(Duration.ofSeconds(40));
		assertThat(this.results).hasSize(INSTANCES).containsOnly(200);
		List<Integer> arrivals = provider.ledger().arrivalsPerSecond();
		assertThat(arrivals.subList(1, 20)).containsOnly(0);
		assertThat(arrivals.subList(20, arrivals.size())).allMatch((calls) -> calls <= 3 * INSTANCES / 6,
				"at most three times the mean over the six seconds in which an instance may make one call");
	}

	@Test
	void instancesThatAskForTwiceAsMuchAsThereIsDoNotFormACrowd() {
		SimulatedExchange provider = provider(
				SimulatorOptions.builder().requestsPerMinute(600).latency(Delay.fixed(Duration.ofSeconds(3))));
		LimitPlan spaced = LimitPlan.of(limits(120).limits().get(0).withBurst(Duration.ofSeconds(1)));
		callFromInstances(provider, spaced, 400);
		this.time.advance(Duration.ofMinutes(3));
		assertThat(provider.ledger().refused()).isPositive();
		assertThat(provider.ledger().accepted()).isGreaterThan(1700);
		assertThat(peakToMean(provider, 60)).isLessThanOrEqualTo(3);
	}

	/* Instances that share nothing but the provider's limits, not even their chance. */
	private void callFromInstances(SimulatedExchange provider, LimitPlan limits, int times) {
		for (int i = 0; i < INSTANCES; i++) {
			RetryPolicy policy = new RetryPolicy(4, Backoff.DEFAULT, new SplittableRandom(i)::nextDouble);
			call(client(provider, ProviderPlan.of("openai", limits), policy, new RateLimitListener() {
			}), times);
		}
	}

	private static double peakToMean(SimulatedExchange provider, int fromSecond) {
		IntSummaryStatistics arrivals = provider.ledger()
			.arrivalsPerSecond()
			.stream()
			.skip(fromSecond)
			.mapToInt(Integer::intValue)
			.summaryStatistics();
		return arrivals.getMax() / arrivals.getAverage();
	}

	@Test
	void inScopeRequestARefusalSlowsDownNobodyElse() {
		SimulatedExchange provider = provider(SimulatorOptions.builder());
		ClosingRules rules = new ClosingRules(ClosingRules.Scope.REQUEST, List.of(), Duration.ofMinutes(10), true);
		WebClient client = client(provider, limits(1000), rules);
		provider.script(refusal(429, "20"));
		call(client, 1);
		this.time.advance(Duration.ofSeconds(1));
		call(client, 10);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.results).hasSize(10).containsOnly(200);
		this.time.advance(Duration.ofSeconds(30));
		assertThat(this.results).hasSize(11).containsOnly(200);
		assertThat(this.changes).isEmpty();
	}

	@Test
	void inTheShadowNobodyWaitsAndAllIsCounted() {
		SimulatedExchange provider = provider(SimulatorOptions.builder());
		List<Object> told = new ArrayList<>();
		RateLimitListener listener = new RateLimitListener() {

			@Override
			public void onAdmitted(Permit permit) {
				told.add(permit.waited());
			}

			@Override
			public void onRejected(LlmCall call, LlmRateLimitException exception) {
				told.add(exception.reason());
			}

		};
		ProviderPlan plan = ProviderPlan.of("openai", limits(3))
			.withShadow(true)
			.withQueue(QueueRules.DEFAULT.withMaxWait(Duration.ofSeconds(30)));
		WebClient client = client(provider, plan, new RetryPolicy(1, Backoff.DEFAULT, () -> 0), listener);
		provider.script(answer(), refusal(429, "20"));
		call(client, 5);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.results).containsExactlyInAnyOrder(200, 429, 200, 200, 200);
		assertThat(told).filteredOn(Duration.class::isInstance)
			.containsExactly(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(61),
					Duration.ofSeconds(61));
		assertThat(told).filteredOn(LlmRateLimitException.Reason.class::isInstance)
			.containsExactly(LlmRateLimitException.Reason.WAIT_TOO_LONG, LlmRateLimitException.Reason.WAIT_TOO_LONG);
		LevelSnapshot account = this.limiter.snapshot().blockLast().accounts().get("default");
		assertThat(account.limits().get(0).used()).isEqualTo(5);
		assertThat(account.state()).isEqualTo(State.COOLING_DOWN);
		call(client, 1);
		this.time.advance(Duration.ofMillis(200));
		assertThat(this.results).hasSize(6);
	}

	private static ScriptedResponse answer() {
		return ScriptedResponse.json(200, "{\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}");
	}

	private static ScriptedResponse refusal(int status, String retryAfter) {
		ScriptedResponse refusal = ScriptedResponse.json(status,
				"{\"error\":{\"message\":\"Rate limit reached\",\"type\":\"requests\",\"code\":\"rate_limit_exceeded\"}}");
		return (retryAfter != null) ? refusal.header("retry-after", retryAfter) : refusal;
	}

	private static ScriptedResponse quota() {
		return ScriptedResponse.json(429,
				"{\"error\":{\"message\":\"You exceeded your current quota\",\"type\":\"insufficient_quota\"}}");
	}

	private static LimitPlan limits(long requestsPerMinute) {
		return LimitPlan.of(
				Limit
					.of("requests-per-minute", Counted.REQUESTS, requestsPerMinute, Duration.ofMinutes(1),
							LimitAlgorithm.SLIDING_WINDOW)
					.withSlack(Duration.ofSeconds(1)));
	}

	private SimulatedExchange provider(SimulatorOptions.Builder options) {
		return new SimulatedExchange(
				options.networkDelay(Delay.uniform(Duration.ofMillis(10), Duration.ofMillis(60))).build(),
				this.time.scheduler());
	}

	private WebClient client(SimulatedExchange provider, LimitPlan limits, ClosingRules rules) {
		List<RateLimitListener> listeners = List.of(new RateLimitListener() {

			@Override
			public void onLevelChanged(LevelChange change) {
				RefusalScenariosTests.this.changes.add(change);
			}

		});
		return client(provider, ProviderPlan.of("openai", limits).withClosing(rules),
				new RetryPolicy(4, Backoff.DEFAULT, new Random(1)::nextDouble), listeners.get(0));
	}

	private WebClient client(SimulatedExchange provider, ProviderPlan plan, RetryPolicy policy,
			RateLimitListener listener) {
		this.limiter = new AdmissionController(List.of(plan), new LocalLimitStore(this.time), this.time,
				List.of(listener));
		LlmCallPipeline pipeline = new LlmCallPipeline(this.limiter, Map.of("openai", policy), this.time,
				List.of(listener));
		Provider openai = new Provider("openai", Dialects.named("openai"), List.of(URI.create(URL)));
		WebClient.Builder builder = WebClient.builder().exchangeFunction(provider);
		new LlmRateLimitWebClientCustomizer(
				new LlmRateLimitFilter(new LlmExchanges(new ProviderRegistry(List.of(openai)), pipeline,
						new CallEstimator(new HeuristicTokenEstimator(), List.of(), Map.of()), this.time, Map.of())))
			.customize(builder);
		return builder.build();
	}

	private void call(WebClient client, int times) {
		for (int i = 0; i < times; i++) {
			client.post()
				.uri(URL)
				.bodyValue(Map.of("model", "gpt", "max_tokens", 10, "messages",
						List.of(Map.of("role", "user", "content", "Hello"))))
				.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()))
				.subscribe(this.results::add, this.results::add);
		}
	}

}
