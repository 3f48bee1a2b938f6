package io.github.llmratelimit.webclient;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.RealResponse;
import io.github.llmratelimit.testing.RealResponse.Expected;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real responses on their way through a client, each from a simulated provider that plays
 * it from a script, in virtual time.
 */
class RealResponsesTests {

	private static final String URL = "https://provider.example";

	private static final String CHAT = """
			{"model":"m","max_tokens":400,"messages":[{"role":"user","content":"Hello"}]}""";

	private static final String ANSWER = "{\"choices\":[]}";

	private static final Duration STEP = Backoff.DEFAULT.step(1);

	/** Limits announced as empty for longer than {@code Retry-After} says: both count. */
	private static final Map<String, Duration> EMPTY = Map.of("IE-02", Duration.ofSeconds(30));

	private final VirtualTime time = new VirtualTime();

	private final SimulatedExchange provider = new SimulatedExchange(SimulatorOptions.builder().build(),
			this.time.scheduler());

	private final Signals signals = new Signals();

	private final List<ResponseEntity<byte[]>> answers = new ArrayList<>();

	static Stream<RealResponse> rows() {
		return Stream.of("responses.json", "western-responses.json").flatMap(RealResponse::in);
	}

	static Stream<RealResponse> retryable() {
		return rows().filter(RealResponse::isRetryable);
	}

	static Stream<RealResponse> permanent() {
		return rows().filter((row) -> !row.isRetryable());
	}

	/** Those whose error comes after an event that was none. */
	static Stream<RealResponse> failingStreams() {
		return rows().filter((row) -> row.isSuccessful() && events(row.body()).size() > 1)
			.filter((row) -> row.reading(events(row.body()).get(0)) == ThrottleSignal.SUCCESS);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rows")
	void reachesTheCallerAsItIs(RealResponse row) {
		this.provider.script(scripted(row, List.of(row.body())));
		call(row, 1);
		assertIsHandedOn(row);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("failingStreams")
	void isFinalInMidStream(RealResponse row) {
		this.provider.script(scripted(row, events(row.body())));
		call(row, 2);
		assertIsHandedOn(row);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("permanent")
	void isNotRetriedIfWaitingDoesNotHelp(RealResponse row) {
		this.provider.script(scripted(row, List.of(row.body())), ScriptedResponse.json(200, ANSWER));
		call(row, 2);
		this.time.advance(Duration.ofHours(1));
		assertIsHandedOn(row);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("retryable")
	void isFollowedBySuccessAfterTheWait(RealResponse row) {
		this.provider.script(scripted(row, List.of(row.body())), ScriptedResponse.json(200, ANSWER));
		call(row, 2);
		assertIsTold(row);
		Duration wait = wait(this.signals.signal(), row);
		this.time.advance(wait.minusNanos(1));
		assertThat(this.provider.ledger().scripted()).isOne();
		assertThat(this.answers).isEmpty();
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.provider.ledger().scripted()).isEqualTo(2);
		assertThat(this.answers).singleElement().satisfies((answer) -> assertThat(body(answer)).isEqualTo(ANSWER));
		assertThat(this.signals.outcomes).endsWith(CallOutcome.SUCCESS).hasSize(2);
	}

	private void assertIsHandedOn(RealResponse row) {
		assertThat(this.answers).singleElement().satisfies((answer) -> {
			assertThat(answer.getStatusCode().value()).isEqualTo(row.status());
			assertThat(body(answer)).isEqualTo(row.body());
			row.headers().forEach((name, value) -> assertThat(answer.getHeaders().get(name)).containsExactly(value));
		});
		assertThat(this.provider.ledger().scripted()).isOne();
		assertThat(this.signals.outcomes).hasSize(1);
		assertIsTold(row);
	}

	private void assertIsTold(RealResponse row) {
		assertThat(row.expected()).extracting(Expected::category)
			.contains(RealResponse.category(this.signals.signal()));
	}

	/** The hint, but no less than the first step of the backoff. */
	private static Duration wait(ThrottleSignal signal, RealResponse row) {
		return Stream.of(STEP, EMPTY.getOrDefault(row.id(), STEP), Objects.requireNonNullElse(signal.hint(), STEP))
			.max(Comparator.naturalOrder())
			.orElseThrow();
	}

	private static String body(ResponseEntity<byte[]> answer) {
		return new String(Objects.requireNonNullElse(answer.getBody(), new byte[0]), StandardCharsets.UTF_8);
	}

	private static ScriptedResponse scripted(RealResponse row, List<String> chunks) {
		HttpHeaders headers = new HttpHeaders();
		row.headers().forEach(headers::set);
		return new ScriptedResponse(row.status(), headers,
				chunks.stream().filter((chunk) -> !chunk.isEmpty()).toList());
	}

	private static List<String> events(String body) {
		return Arrays.asList(body.split("(?<=\n\n)"));
	}

	private void call(RealResponse row, int maxAttempts) {
		client(row, maxAttempts).post()
			.uri(URL)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(CHAT)
			.exchangeToMono((response) -> response.toEntity(byte[].class))
			.subscribe(this.answers::add);
	}

	private WebClient client(RealResponse row, int maxAttempts) {
		ProviderPlan plan = ProviderPlan.of("it", limits(row))
			.withQueue(QueueRules.DEFAULT.withMaxWait(Duration.ofHours(2)));
		AdmissionController limiter = new AdmissionController(List.of(plan), new LocalLimitStore(this.time), this.time,
				List.of(this.signals));
		LlmCallPipeline pipeline = new LlmCallPipeline(limiter,
				Map.of("it", new RetryPolicy(maxAttempts, Backoff.DEFAULT, () -> 0)), this.time, List.of());
		Provider it = new Provider("it", row.dialect(), List.of(URI.create(URL)));
		LlmRateLimitFilter filter = new LlmRateLimitFilter(new LlmExchanges(new ProviderRegistry(List.of(it)), pipeline,
				new CallEstimator(new HeuristicTokenEstimator(), List.of(), Map.of()), this.time, Map.of()));
		return WebClient.builder().exchangeFunction(this.provider).filter(filter).build();
	}

	private static LimitPlan limits(RealResponse row) {
		LimitAlgorithm requests = row.dialect().algorithm(Counted.REQUESTS);
		LimitAlgorithm tokens = row.dialect().algorithm(Counted.TOKENS);
		return LimitPlan.of(Limit.of("requests-per-minute", Counted.REQUESTS, 10_000, Duration.ofMinutes(1), requests),
				Limit.of("tokens-per-minute", Counted.TOKENS, 10_000_000, Duration.ofMinutes(1), tokens));
	}

	/** What a listener is told of one call. */
	private static final class Signals implements RateLimitListener {

		private final List<CallOutcome> outcomes = new ArrayList<>();

		private @Nullable ThrottleSignal refusal;

		@Override
		public void onCompleted(Permit permit, CallOutcome outcome, @Nullable TokenUsage usage) {
			this.outcomes.add(outcome);
		}

		@Override
		public void onThrottled(Permit permit, ThrottleSignal signal, Duration cooldown) {
			this.refusal = signal;
		}

		ThrottleSignal signal() {
			return (this.refusal != null) ? this.refusal : ThrottleSignal.of(this.outcomes.get(0));
		}

	}

}
