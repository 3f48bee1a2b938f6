package io.github.llmratelimit.exchange;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.ResponseHead;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.RecordedCalls;
import io.github.llmratelimit.testing.RecordedCalls.Completed;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.time.WaitingThread;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import io.github.resilience4j.retry.RetryRegistry;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * A client whose responses are streams, with a provider that answers what it is told.
 */
class StreamTransportTests {

	private static final URI URL = URI.create("https://api.openai.com/v1/chat/completions");

	private static final String CHAT = """
			{"model":"m","max_tokens":400,"messages":[{"role":"user","content":"Hello"}]}""";

	private static final String ANSWER = """
			{"choices":[{"message":{"content":"Hi"}}],"usage":{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150}}""";

	private static final String RATE_LIMITED = """
			{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}""";

	private static final String EVENT = """
			data: {"choices":[{"delta":{"content":"Hello"}}]}

			""";

	private final VirtualTime time = new VirtualTime();

	private final RecordedCalls events = new RecordedCalls();

	private final Queue<Answer> answers = new ArrayDeque<>();

	private final List<LlmRequest> sent = new ArrayList<>();

	private final List<Thread> threads = new ArrayList<>();

	private int closed;

	@Test
	void settlesByTheUsageOnceTheBodyIsRead() throws IOException {
		answer(200, "application/json", ANSWER);
		Response response = exchange();
		assertThat(this.events.completed()).isEmpty();
		assertThat(text(response)).isEqualTo(ANSWER);
		assertThat(this.events.completed())
			.containsExactly(new Completed(CallOutcome.SUCCESS, new TokenUsage(100, 50)));
	}

	@Test
	void aResponseThatIsClosedUnreadHasBeenPaidFor() throws IOException {
		answer(200, "application/json", ANSWER);
		exchange().body.close();
		assertThat(this.events.completed()).containsExactly(new Completed(CallOutcome.SUCCESS, null));
		assertThat(this.closed).isEqualTo(1);
	}

	@Test
	void aStreamOfEventsThatIsClosedEarlyIsPaidAsFarAsItWasSeen() throws IOException {
		answer(200, "text/event-stream", EVENT + EVENT);
		InputStream body = exchange().body;
		assertThat(body.readNBytes(EVENT.length())).hasSize(EVENT.length());
		body.close();
		assertThat(this.events.completed()).singleElement().satisfies((completed) -> {
			assertThat(completed.outcome()).isEqualTo(CallOutcome.CANCELLED);
			assertThat(Objects.requireNonNull(completed.usage()).output()).isPositive();
		});
	}

	@Test
	void aBodyIsReadWholeByteByByteOrSkipped() throws IOException {
		answer(200, "application/json", ANSWER);
		InputStream body = exchange().body;
		assertThat(body.read()).isEqualTo('{');
		while (body.skip(10) > 0) {
			assertThat(body.markSupported()).isFalse();
		}
		assertThat(body.read()).isEqualTo(-1);
		assertThat(this.events.completed())
			.containsExactly(new Completed(CallOutcome.SUCCESS, new TokenUsage(100, 50)));
	}

	@Test
	void aBodyThatBreaksOffHasFailed() {
		this.answers
			.add(new Answer(200, "application/json", () -> new SequenceInputStream(stream("{\"id\":"), broken())));
		InputStream body = exchange().body;
		assertThatIOException().isThrownBy(body::readAllBytes).withMessage("broken");
		assertThat(this.events.completed()).containsExactly(new Completed(CallOutcome.FAILED, null));
	}

	@Test
	void aRefusalIsSentAgainAndItsConnectionIsFree() throws IOException {
		answer(429, "application/json", RATE_LIMITED);
		answer(200, "application/json", ANSWER);
		assertThat(text(exchange())).isEqualTo(ANSWER);
		assertThat(this.sent).hasSize(2);
		assertThat(this.closed).isEqualTo(1);
		assertThat(this.events.retries()).hasSize(1);
	}

	@Test
	void aRefusalThatBreaksOffStillTellsWhatItMeans() throws IOException {
		this.answers
			.add(new Answer(429, "application/json", () -> new SequenceInputStream(stream(RATE_LIMITED), broken())));
		InputStream body = exchange().body;
		assertThat(new String(body.readNBytes(RATE_LIMITED.length()), StandardCharsets.UTF_8)).isEqualTo(RATE_LIMITED);
		assertThatIOException().isThrownBy(body::read).withMessage("broken");
		assertThat(this.events.completed()).extracting(Completed::outcome).containsExactly(CallOutcome.THROTTLED);
	}

	@Test
	void anErrorThatIsNotRetriedIsHandedOnWhole() throws IOException {
		String large = "x".repeat(100_000);
		answer(400, "text/plain", large);
		assertThat(text(exchange())).isEqualTo(large);
		assertThat(this.events.completed()).extracting(Completed::outcome).containsExactly(CallOutcome.REJECTED);
	}

	@Test
	void whatCannotHaveBeenSentIsGivenBackAndSentAgain() throws IOException {
		this.answers.add(new Answer(0, "", () -> {
			throw new UncheckedIOException(new ConnectException("refused"));
		}));
		answer(200, "application/json", ANSWER);
		assertThat(text(exchange())).isEqualTo(ANSWER);
		assertThat(this.events.completed()).extracting(Completed::outcome)
			.containsExactly(CallOutcome.NOT_SENT, CallOutcome.SUCCESS);
	}

	@Test
	void aClientThatBlocksSendsOnTheThreadOfItsCallerAlsoWhenItSendsAgain() throws Exception {
		answer(429, "application/json", RATE_LIMITED);
		answer(200, "application/json", ANSWER);
		CompletableFuture<Thread> caller = new CompletableFuture<>();
		CompletableFuture<String> result = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			caller.complete(Thread.currentThread());
			result.completeAsync(() -> text(executeBlocking()), Runnable::run);
		});
		thread.start();
		while (!result.isDone()) {
			this.time.advance(Duration.ofSeconds(1));
		}
		assertThat(result.get()).isEqualTo(ANSWER);
		assertThat(this.threads).containsExactly(caller.get(), caller.get());
	}

	@Test
	void aClientThatBlocksThrowsWhatItsSendingThrew() {
		this.answers.add(new Answer(0, "", () -> {
			throw new IOException("broken before an answer");
		}));
		assertThatIOException()
			.isThrownBy(() -> exchanges(List.of()).executeBlocking(provider(), request(), Transport::new))
			.withMessage("broken before an answer");
	}

	@Test
	void aFallbackIsMarkedAndNamesWhyItIsOne() throws IOException {
		answer(429, "application/json", "{\"error\":{\"code\":\"insufficient_quota\"}}");
		Response response = exchange(exchanges(List.of((refused) -> Mono.just(FallbackAnswer.json("{}")))));
		assertThat(response.status).isEqualTo(200);
		assertThat(response.headers).containsEntry(LlmFallback.HEADER, "QUOTA_EXHAUSTED");
		assertThat(text(response)).isEqualTo("{}");
	}

	@Test
	void aFallbackSendsToAnotherHostOnlyWhatAnyHostMaySee() throws IOException {
		answer(429, "application/json", "{\"error\":{\"code\":\"insufficient_quota\"}}");
		answer(200, "application/json", ANSWER);
		URI elsewhere = URI.create("https://example.org/chat");
		Response response = exchange(exchanges(List.of((refused) -> Mono
			.just(FallbackAnswer.sendTo(elsewhere).withModel("other").withHeader("Authorization", "theirs")))));
		assertThat(text(response)).isEqualTo(ANSWER);
		LlmRequest again = this.sent.get(1);
		assertThat(again.url()).isEqualTo(elsewhere);
		assertThat(again.isMoved()).isTrue();
		assertThat(again.isRewritten()).isTrue();
		assertThat(again.text()).contains("\"model\":\"other\"");
		assertThat(again.header("content-type")).isEqualTo("application/json");
		assertThat(again.header("authorization")).isEqualTo("theirs");
		assertThat(again.keeps("Authorization")).isFalse();
		assertThat(again.keeps("x-secret")).isFalse();
	}

	@Test
	void aFallbackThatIsRefusedItselfIsNoAnswer() {
		answer(429, "application/json", "{\"error\":{\"code\":\"insufficient_quota\"}}");
		answer(503, "text/plain", "busy");
		URI elsewhere = URI.create("https://example.org/chat");
		Response response = exchange(exchanges(List.of((refused) -> Mono.just(FallbackAnswer.sendTo(elsewhere)))));
		assertThat(response.status).isEqualTo(429);
		assertThat(this.closed).as("both errors are read to their ends or given up").isEqualTo(2);
	}

	@Test
	void aProviderThatDoesNotExistIsNamed() {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> exchanges(List.of()).limiting(URL, Map.of("io.github.llmratelimit.provider", "opnai")))
			.withMessageContaining("opnai");
	}

	@Test
	void theScopeAroundACallNamesTheProviderOfClientsThatCannot() {
		URI elsewhere = URI.create("https://gateway.example.org");
		LlmExchanges exchanges = exchanges(List.of());
		assertThat(exchanges.limiting(elsewhere)).isNull();
		Provider provider = LlmCallScope.of(LlmRateLimitAttributes.provider("openai"))
			.during(() -> exchanges.limiting(elsewhere));
		assertThat(provider).extracting(Provider::name).isEqualTo("openai");
	}

	private void answer(int status, String contentType, String body) {
		this.answers.add(new Answer(status, contentType, () -> stream(body)));
	}

	private Response exchange() {
		return exchange(exchanges(List.of()));
	}

	private Response exchange(LlmExchanges exchanges) {
		CompletableFuture<Response> response = exchanges.execute(provider(), request(), new Transport(null)).toFuture();
		this.time.advance(Duration.ofMinutes(5));
		return response.join();
	}

	private Response executeBlocking() {
		try {
			return exchanges(List.of()).executeBlocking(provider(), request(), Transport::new);
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static LlmRequest request() {
		Map<String, String> headers = Map.of("content-type", "application/json", "x-secret", "s", "authorization",
				"ours");
		return LlmRequest.of(URL, headers::get, ByteBuffer.wrap(CHAT.getBytes(StandardCharsets.UTF_8)), true, Map.of());
	}

	private static Provider provider() {
		return new Provider("openai", Dialects.builtIn().get("openai"), List.of(URI.create("https://api.openai.com")));
	}

	private LlmExchanges exchanges(List<LlmFallback> fallbacks) {
		AdmissionController limiter = new AdmissionController(List.of(ProviderPlan.of("openai", LimitPlan.UNLIMITED)),
				new LocalLimitStore(this.time), this.time, List.of(this.events));
		LlmCallPipeline pipeline = new LlmCallPipeline(limiter,
				Map.of("openai", new RetryPolicy(4, Backoff.DEFAULT, () -> 0.5)), RetryRegistry.ofDefaults(), this.time,
				List.of(this.events), fallbacks);
		return new LlmExchanges(new ProviderRegistry(List.of(provider())), pipeline,
				new CallEstimator(new HeuristicTokenEstimator(), List.of(), Map.of()), this.time, Map.of());
	}

	private static String text(Response response) {
		try {
			return new String(response.body.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static InputStream stream(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
	}

	private static InputStream broken() {
		return new InputStream() {

			@Override
			public int read() throws IOException {
				throw new IOException("broken");
			}

		};
	}

	private interface Body {

		InputStream open() throws IOException;

	}

	private record Answer(int status, String contentType, Body body) {

	}

	private record Response(int status, Map<String, String> headers, InputStream body) {

	}

	private final class Transport extends StreamTransport<Response> {

		private final WaitingThread thread;

		Transport(WaitingThread thread) {
			this.thread = thread;
		}

		@Override
		public Mono<Response> send(LlmRequest request) {
			return (this.thread != null) ? this.thread.run(() -> answer(request))
					: Mono.fromCallable(() -> answer(request));
		}

		private Response answer(LlmRequest request) throws IOException {
			StreamTransportTests.this.sent.add(request);
			StreamTransportTests.this.threads.add(Thread.currentThread());
			Answer answer = StreamTransportTests.this.answers.remove();
			InputStream body = answer.body.open();
			return new Response(answer.status, Map.of("content-type", answer.contentType),
					new SequenceInputStream(body, stream("")) {

						@Override
						public void close() throws IOException {
							StreamTransportTests.this.closed++;
							super.close();
						}

					});
		}

		@Override
		public ResponseHead head(Response response) {
			return new ResponseHead(response.status, response.headers::get);
		}

		@Override
		protected InputStream body(Response response) {
			return response.body;
		}

		@Override
		protected Response with(Response response, InputStream body) {
			return new Response(response.status, response.headers, body);
		}

		@Override
		public Response respond(int status, String contentType, byte[] body) {
			return new Response(status, Map.of("content-type", contentType), new ByteArrayInputStream(body));
		}

		@Override
		public Response mark(Response response, String name, String value) {
			return new Response(response.status, Map.of(name, value), response.body);
		}

	}

}
