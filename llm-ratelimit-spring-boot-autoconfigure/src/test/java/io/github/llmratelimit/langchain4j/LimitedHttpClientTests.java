package io.github.llmratelimit.langchain4j;

import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.NonRetriableException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.DefaultServerSentEventParsingHandle;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.ThrownResponse;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.RecordedCalls;
import io.github.llmratelimit.testing.RecordedCalls.Completed;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A client of LangChain4j with a provider that answers what it is told.
 */
@Timeout(60)
class LimitedHttpClientTests {

	private static final String REFUSAL = """
			{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}""";

	private static final String ANSWER = """
			{"choices":[{"message":{"content":"Hi"}}],"usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}}""";

	private static final String DELTA = """
			{"choices":[{"delta":{"content":"Hello"}}]}""";

	private static final String USAGE = """
			{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}}""";

	private final VirtualTime time = new VirtualTime();

	private final RecordedCalls calls = new RecordedCalls();

	private final ScriptedClient provider = new ScriptedClient();

	private final AdmissionController limiter;

	private final HttpClient client;

	LimitedHttpClientTests() {
		ProviderPlan plan = ProviderPlan.of("openai", LimitPlan.of().withMaxConcurrency(1)).withLearning(null);
		CallEstimator estimator = new CallEstimator(new HeuristicTokenEstimator(), List.of(plan), Map.of());
		this.limiter = new AdmissionController(List.of(plan), new LocalLimitStore(this.time), this.time,
				List.of(this.calls));
		Provider openai = new Provider("openai", Dialects.builtIn().get("openai"),
				List.of(URI.create("https://api.openai.com")));
		LlmCallPipeline pipeline = new LlmCallPipeline(this.limiter,
				Map.of("openai", new RetryPolicy(3, Backoff.DEFAULT, () -> 0)), this.time, List.of(this.calls));
		LlmExchanges exchanges = new LlmExchanges(new ProviderRegistry(List.of(openai)), pipeline, estimator, this.time,
				Map.of());
		this.client = new LimitedHttpClient(exchanges, this.provider);
	}

	@Test
	void readsWhatIsThrown() {
		ThrownResponse response = new HttpExceptionReader().read(new HttpException(429, "slow down"));
		assertThat(response.status()).isEqualTo(429);
		assertThat(response.headers().apply("retry-after")).isNull();
		assertThat(response.body()).asString(StandardCharsets.UTF_8).isEqualTo("slow down");
		assertThat(new HttpExceptionReader().read(new IllegalStateException())).isNull();
	}

	@Test
	void answersAreSettledByTheirUsage() {
		this.provider.answer(200, ANSWER);
		assertThat(this.client.execute(chat()).body()).isEqualTo(ANSWER);
		assertThat(this.calls.completed()).containsExactly(new Completed(CallOutcome.SUCCESS, new TokenUsage(7, 5)));
		assertThat(this.provider.requests).hasSize(1).allSatisfy((sent) -> assertThat(sent.body()).contains("gpt-4o"));
	}

	@Test
	void requestsToOtherHostsPassUntouched() {
		this.provider.answer(200, ANSWER).answer(500, "down");
		HttpRequest elsewhere = request("https://elsewhere.example/v1");
		assertThat(this.client.execute(elsewhere).body()).isEqualTo(ANSWER);
		Events events = new Events();
		this.client.execute(elsewhere, this.provider, events);
		assertThat(events.heard).containsExactly("error HttpException");
		assertThat(this.provider.requests).containsExactly(elsewhere, elsewhere);
		assertThat(this.calls.admitted()).isEmpty();
	}

	@Test
	void errorsThatAreNoRefusalStayAsTheyAre() {
		this.provider.answer(400, "bad");
		assertThatExceptionOfType(HttpException.class).isThrownBy(() -> this.client.execute(chat()))
			.withMessage("bad")
			.satisfies((error) -> assertThat(error.statusCode()).isEqualTo(400));
		assertThat(this.calls.completed()).extracting(Completed::outcome).containsExactly(CallOutcome.REJECTED);
	}

	@Test
	void whatIsRefusedForGoodIsFinalForLangChain4j() {
		this.provider.answer(429, REFUSAL).answer(429, REFUSAL).answer(503, "overloaded");
		FutureTask<SuccessfulHttpResponse> call = new FutureTask<>(() -> this.client.execute(chat()));
		new Thread(call).start();
		advanceUntil(call);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(call::get)
			.havingCause()
			.isInstanceOf(NonRetriableException.class)
			.withMessage("Status 503 of openai after 3 attempts: overloaded")
			.havingCause()
			.isInstanceOfSatisfying(LlmRateLimitException.class, (refusal) -> {
				assertThat(refusal.reason()).isEqualTo(Reason.RETRIES_EXHAUSTED);
				assertThat(refusal.attempts()).isEqualTo(3);
			});
		assertThat(this.provider.requests).hasSize(3);
	}

	@Test
	void whatIsNotAdmittedIsFinalForLangChain4j() {
		Events events = new Events();
		Permit only = this.limiter.acquire(LlmCall.to("openai")).block();
		this.client.execute(chat(), this.provider, events);
		this.time.advance(QueueRules.DEFAULT.maxWait().get(Priority.NORMAL));
		assertThat(events.heard).containsExactly("error NonRetriableException");
		assertThat(events.failure).hasCauseInstanceOf(LlmRateLimitException.class);
		only.complete(CallOutcome.SUCCESS, null);
		assertThat(this.provider.requests).isEmpty();
	}

	@Test
	void aStreamWaitsWithoutItsCaller() {
		Permit only = this.limiter.acquire(LlmCall.to("openai")).block();
		this.provider.stream(DELTA, USAGE);
		Events events = new Events();
		this.client.execute(chat(), this.provider, events);
		assertThat(this.provider.requests).isEmpty();
		only.complete(CallOutcome.SUCCESS, null);
		assertThat(events.heard).containsExactly("open", DELTA, USAGE, "close");
		assertThat(this.calls.completed()).last().isEqualTo(new Completed(CallOutcome.SUCCESS, new TokenUsage(7, 5)));
	}

	@Test
	void aRefusedStreamIsSentAgainUnseen() {
		this.provider.answer(429, REFUSAL).stream(DELTA, USAGE);
		Events events = new Events();
		this.client.execute(chat(), this.provider, events);
		assertThat(events.heard).isEmpty();
		this.time.advance(Duration.ofMinutes(1));
		assertThat(events.heard).containsExactly("open", DELTA, USAGE, "close");
		assertThat(this.provider.requests).hasSize(2);
	}

	@Test
	void aStreamThatIsRefusedForGoodEndsWithOneError() {
		this.provider.answer(429, REFUSAL).answer(429, REFUSAL).answer(429, REFUSAL);
		Events events = new Events();
		this.client.execute(chat(), this.provider, events);
		this.time.advance(Duration.ofMinutes(5));
		assertThat(events.heard).containsExactly("error NonRetriableException");
	}

	@Test
	void aStreamThatBreaksOffFails() {
		this.provider.then((listener) -> {
			open(listener);
			listener.onEvent(event(DELTA), context());
			listener.onError(new IllegalStateException("reset"));
		});
		Events events = new Events();
		this.client.execute(chat(), this.provider, events);
		assertThat(events.heard).containsExactly("open", DELTA, "error IllegalStateException");
		assertThat(this.calls.completed()).extracting(Completed::outcome).containsExactly(CallOutcome.FAILED);
	}

	@Test
	void aStreamWithoutAResponseFails() {
		this.provider.then((listener) -> listener.onError(new IllegalStateException("reset")));
		Events events = new Events();
		this.client.execute(chat(), this.provider, events);
		assertThat(events.heard).containsExactly("error IllegalStateException");
		assertThat(this.calls.completed()).extracting(Completed::outcome).containsExactly(CallOutcome.FAILED);
	}

	@Test
	void aStreamThatItsReaderCancelsEndsWithIt() {
		List<Boolean> cancelled = new ArrayList<>();
		this.provider.then((listener) -> {
			ServerSentEventContext context = context();
			open(listener);
			listener.onEvent(event(DELTA), context);
			cancelled.add(context.parsingHandle().isCancelled());
			listener.onClose();
		});
		Events events = new Events() {

			@Override
			public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
				super.onEvent(event, context);
				context.parsingHandle().cancel();
			}

		};
		this.client.execute(chat(), this.provider, events);
		assertThat(cancelled).containsExactly(true);
		assertThat(events.heard).containsExactly("open", DELTA, "close");
		assertThat(this.calls.completed()).extracting(Completed::outcome).containsExactly(CallOutcome.CANCELLED);
	}

	@Test
	void eventsWithoutContextAreHandedOnAsWell() {
		this.provider.then((listener) -> {
			open(listener);
			listener.onEvent(event(USAGE));
			listener.onClose();
		});
		Events events = new Events();
		this.client.execute(chat(), this.provider, events);
		assertThat(events.heard).containsExactly("open", USAGE, "close");
		assertThat(this.calls.completed()).containsExactly(new Completed(CallOutcome.SUCCESS, new TokenUsage(7, 5)));
	}

	@Test
	void aReaderThatThrowsBreaksNothing() {
		this.provider.stream(DELTA, USAGE);
		this.client.execute(chat(), this.provider, new Events() {

			@Override
			public void onEvent(ServerSentEvent event) {
				throw new IllegalStateException("broken reader");
			}

		});
		assertThat(this.calls.completed()).extracting(Completed::outcome).containsExactly(CallOutcome.SUCCESS);
	}

	@Test
	void anInterruptEndsTheWait() throws Exception {
		Permit only = this.limiter.acquire(LlmCall.to("openai")).block();
		FutureTask<Throwable> call = new FutureTask<>(() -> {
			try {
				return new AssertionError(this.client.execute(chat()));
			}
			catch (NonRetriableException ex) {
				return Thread.currentThread().isInterrupted() ? ex : new AssertionError("not interrupted");
			}
		});
		Thread thread = new Thread(call);
		thread.start();
		while (this.time.timers() == 0) {
			Thread.onSpinWait();
		}
		thread.interrupt();
		assertThat(call.get()).hasCauseInstanceOf(InterruptedException.class);
		only.complete(CallOutcome.SUCCESS, null);
		assertThat(this.provider.requests).isEmpty();
	}

	private void advanceUntil(FutureTask<?> call) {
		while (!call.isDone()) {
			this.time.advance(Duration.ofSeconds(1));
		}
	}

	private static HttpRequest chat() {
		return request("https://api.openai.com/v1/chat/completions");
	}

	private static HttpRequest request(String url) {
		return HttpRequest.builder()
			.method(HttpMethod.POST)
			.url(url)
			.addHeader("Content-Type", "application/json")
			.body("""
					{"model":"gpt-4o","messages":[{"role":"user","content":"Hello"}]}""")
			.build();
	}

	private static void open(ServerSentEventListener listener) {
		listener.onOpen(SuccessfulHttpResponse.builder()
			.statusCode(200)
			.headers(Map.of("content-type", List.of("text/event-stream")))
			.build());
	}

	private static ServerSentEvent event(String data) {
		return new ServerSentEvent(null, data);
	}

	private static ServerSentEventContext context() {
		return new ServerSentEventContext(new DefaultServerSentEventParsingHandle(InputStream.nullInputStream()));
	}

	/**
	 * Answers as it is told, on the thread of the caller.
	 */
	private static final class ScriptedClient implements HttpClient, ServerSentEventParser {

		final List<HttpRequest> requests = new ArrayList<>();

		private final Queue<Object> script = new ArrayDeque<>();

		ScriptedClient answer(int status, String body) {
			this.script.add((status < 300) ? SuccessfulHttpResponse.builder()
				.statusCode(status)
				.headers(Map.of("content-type", List.of("application/json")))
				.body(body)
				.build() : new HttpException(status, body));
			return this;
		}

		ScriptedClient then(Consumer<ServerSentEventListener> events) {
			this.script.add(events);
			return this;
		}

		ScriptedClient stream(String... events) {
			return then((listener) -> {
				open(listener);
				List.of(events).forEach((data) -> listener.onEvent(event(data), context()));
				listener.onClose();
			});
		}

		@Override
		public SuccessfulHttpResponse execute(HttpRequest request) {
			this.requests.add(request);
			Object next = this.script.remove();
			if (next instanceof HttpException error) {
				throw error;
			}
			return (SuccessfulHttpResponse) next;
		}

		@Override
		@SuppressWarnings("unchecked")
		public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
			this.requests.add(request);
			Object next = this.script.remove();
			if (next instanceof HttpException error) {
				listener.onError(error);
			}
			else {
				((Consumer<ServerSentEventListener>) next).accept(listener);
			}
		}

		@Override
		public void parse(InputStream body, ServerSentEventListener listener) {
			throw new UnsupportedOperationException();
		}

	}

	/**
	 * Remembers what it hears.
	 */
	private static class Events implements ServerSentEventListener {

		final List<String> heard = new ArrayList<>();

		Throwable failure;

		@Override
		public void onOpen(SuccessfulHttpResponse response) {
			this.heard.add("open");
		}

		@Override
		public void onEvent(ServerSentEvent event) {
			this.heard.add(event.data());
		}

		@Override
		public void onError(Throwable failure) {
			this.failure = failure;
			this.heard.add("error " + failure.getClass().getSimpleName());
		}

		@Override
		public void onClose() {
			this.heard.add("close");
		}

	}

}
