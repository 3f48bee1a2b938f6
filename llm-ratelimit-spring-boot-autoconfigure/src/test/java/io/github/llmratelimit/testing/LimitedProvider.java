package io.github.llmratelimit.testing;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.Backoff.Jitter;
import io.github.llmratelimit.retry.Backoff.Strategy;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.simulator.Ledger;
import io.github.llmratelimit.simulator.ProviderSimulator;
import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.simulator.dialect.SimulatedDialect;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.token.HeuristicTokenEstimator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A provider behind a real HTTP server whose minute is short, and what sends requests
 * within its limits: for tests of real client libraries. Thread-safe.
 */
public final class LimitedProvider implements AutoCloseable {

	/** Admitted in one of its minutes. */
	public static final int REQUESTS_PER_MINUTE = 100;

	/** More than one minute's calls, which are admitted within two. */
	public static final int CALLS = 2 * REQUESTS_PER_MINUTE;

	/** The most that one call is sent. */
	public static final int MAX_ATTEMPTS = 4;

	/** Nothing that ends takes longer on any machine. */
	public static final Duration LONG_ENOUGH = Duration.ofMinutes(2);

	private static final ScriptedResponse THROTTLED = ScriptedResponse.json(429,
			"{\"error\":{\"type\":\"rate_limit_error\",\"code\":\"rate_limit_exceeded\",\"message\":\"Slow down.\"}}")
		.header("retry-after-ms", "1");

	private static final ScriptedResponse OVERLOADED = ScriptedResponse
		.json(503, "{\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded.\"}}")
		.header("retry-after-ms", "1");

	private static final Duration MINUTE = Duration.ofMillis(500);

	/* So far apart may departures arrive without a refusal: machines differ. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	private static final Backoff BACKOFF = new Backoff(Strategy.FIXED, Duration.ofMillis(1), 1, Duration.ofMillis(1),
			Jitter.NONE);

	private final RecordedCalls calls = new RecordedCalls();

	private final ProviderSimulator simulator;

	private final AdmissionController limiter;

	private final LlmExchanges exchanges;

	private LimitedProvider(String name, SimulatedDialect dialect) {
		this.simulator = ProviderSimulator.start(SimulatorOptions.builder()
			.dialect(dialect)
			.requestsPerMinute(REQUESTS_PER_MINUTE)
			.minute(MINUTE)
			.build());
		TimeSource time = TimeSource.system();
		ProviderPlan plan = ProviderPlan.of(name, limits()).withLearning(null);
		CallEstimator estimator = new CallEstimator(new HeuristicTokenEstimator(), List.of(plan), Map.of());
		this.limiter = new AdmissionController(List.of(plan), new LocalLimitStore(time), time,
				List.of(this.calls, estimator));
		Provider provider = new Provider(name, Dialects.builtIn().get(name), List.of(URI.create(url())));
		this.exchanges = new LlmExchanges(
				new ProviderRegistry(List.of(provider)), new LlmCallPipeline(this.limiter,
						Map.of(name, new RetryPolicy(MAX_ATTEMPTS, BACKOFF, () -> 0)), time, List.of(this.calls)),
				estimator, time, Map.of());
	}

	/**
	 * Start a provider that talks like OpenAI.
	 * @return the provider
	 */
	public static LimitedProvider openAi() {
		return new LimitedProvider("openai", SimulatedDialect.OPENAI);
	}

	/**
	 * Start a provider that talks like Anthropic.
	 * @return the provider
	 */
	public static LimitedProvider anthropic() {
		return new LimitedProvider("anthropic", SimulatedDialect.ANTHROPIC);
	}

	private static LimitPlan limits() {
		return LimitPlan.of(Limit
			.of("requests-per-minute", Counted.REQUESTS, REQUESTS_PER_MINUTE, MINUTE, LimitAlgorithm.SLIDING_WINDOW)
			.withSlack(SLACK));
	}

	public String url() {
		return this.simulator.baseUrl();
	}

	public ProviderSimulator simulator() {
		return this.simulator;
	}

	public AdmissionController limiter() {
		return this.limiter;
	}

	public LlmExchanges exchanges() {
		return this.exchanges;
	}

	/**
	 * What happened to the calls on our side.
	 * @return the calls
	 */
	public RecordedCalls calls() {
		return this.calls;
	}

	/**
	 * Make all calls at once, each on a thread that may block.
	 * @param call makes one call
	 */
	public void callAll(Runnable call) {
		ExecutorService callers = Executors.newFixedThreadPool(CALLS);
		try {
			startAll(() -> CompletableFuture.runAsync(call, callers));
		}
		finally {
			callers.shutdownNow();
		}
	}

	/**
	 * Make all calls at once, and wait until they have ended.
	 * @param call starts one call
	 */
	public void startAll(Supplier<CompletableFuture<?>> call) {
		CompletableFuture<?>[] started = Stream.generate(call).limit(CALLS).toArray(CompletableFuture[]::new);
		assertThat(CompletableFuture.allOf(started)).succeedsWithin(LONG_ENOUGH);
	}

	/**
	 * Refuse the next calls, by turns because of too many requests and of overload.
	 * @param calls how many
	 */
	public void refuse(int calls) {
		this.simulator.script(IntStream.range(0, calls)
			.mapToObj((call) -> (call % 2 == 0) ? THROTTLED : OVERLOADED)
			.toArray(ScriptedResponse[]::new));
	}

	/**
	 * All calls were answered in the end, and each refused one was sent again here.
	 * @param refused how often a call was refused
	 * @param answered how many calls were answered
	 */
	public void assertRepeated(int refused, int answered) {
		Ledger ledger = this.simulator.ledger();
		assertThat(ledger.arrivals()).as("requests that the provider has seen").isEqualTo(refused + answered);
		assertThat(this.calls.retries()).as("repeated calls").hasSize(refused);
		assertThat(this.calls.completed().stream().filter((call) -> call.outcome() == CallOutcome.SUCCESS))
			.hasSize(answered);
	}

	/**
	 * Every call was sent once, none was refused, and each was settled by the usage that
	 * its response reported.
	 * @param calls how many calls were made
	 */
	public void assertCountedOnce(int calls) {
		Ledger ledger = this.simulator.ledger();
		assertThat(ledger.refused()).as("refused").isZero();
		assertThat(ledger.accepted()).as("requests that the provider has seen").isEqualTo(calls);
		assertThat(this.calls.admitted()).as("permits").hasSize(calls);
		assertThat(this.calls.completed()).as("permits that have ended").hasSize(calls).allSatisfy((completed) -> {
			assertThat(completed.outcome()).isEqualTo(CallOutcome.SUCCESS);
			assertThat(completed.usage()).as("usage reported").isNotNull();
		});
	}

	@Override
	public void close() {
		this.simulator.close();
	}

}
