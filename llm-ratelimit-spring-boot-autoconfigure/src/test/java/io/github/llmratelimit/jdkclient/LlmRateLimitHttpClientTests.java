package io.github.llmratelimit.jdkclient;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.testing.RecordedCalls.Completed;
import io.github.llmratelimit.testing.ScriptedExchanges;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link LlmRateLimitHttpClient} around a real client, with a server that
 * answers what it is told.
 */
class LlmRateLimitHttpClientTests {

	private static final TokenUsage USAGE = new TokenUsage(100, 50);

	private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

	private final List<Received> received = new CopyOnWriteArrayList<>();

	private HttpServer server;

	private String url;

	private ScriptedExchanges exchanges;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
		this.server.createContext("/", this::answer);
		this.server.start();
		this.url = "http://localhost:" + this.server.getAddress().getPort();
		this.exchanges = new ScriptedExchanges(this.url + "/v1");
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	@Test
	void settlesByTheUsageOfTheAnswer() throws Exception {
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		HttpResponse<String> response = client().send(question(), BodyHandlers.ofString());
		assertThat(response.body()).isEqualTo(ScriptedExchanges.ANSWER);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.uri()).isEqualTo(question().uri());
		assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
		assertThat(response.headers().firstValue("content-type")).contains("application/json");
		assertThat(response.sslSession()).isEmpty();
		assertThat(response.previousResponse()).isEmpty();
		assertThat(completed()).containsExactly(new Completed(CallOutcome.SUCCESS, USAGE));
		assertThat(this.received).extracting(Received::body).containsExactly(ScriptedExchanges.QUESTION);
	}

	@Test
	void settlesAlsoWithoutAThread() {
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		assertThat(sendAsync(client(), question()).join()).isEqualTo(ScriptedExchanges.ANSWER);
		assertThat(completed()).containsExactly(new Completed(CallOutcome.SUCCESS, USAGE));
	}

	@Test
	void anAnswerThatIsDiscardedTellsItsUsageAllTheSame() throws Exception {
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		assertThat(client().send(question(), BodyHandlers.discarding()).body()).isNull();
		assertThat(completed()).containsExactly(new Completed(CallOutcome.SUCCESS, USAGE));
	}

	@Test
	void aStreamIsReadAsItComes() throws Exception {
		CountDownLatch read = new CountDownLatch(1);
		this.answers.add((exchange) -> {
			exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
			exchange.sendResponseHeaders(200, 0);
			exchange.getResponseBody().write(ScriptedExchanges.EVENT.getBytes(StandardCharsets.UTF_8));
			exchange.getResponseBody().flush();
			await(read);
			exchange.getResponseBody().write("data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8));
		});
		try (InputStream body = client().send(question(), BodyHandlers.ofInputStream()).body()) {
			assertThat(body.readNBytes(ScriptedExchanges.EVENT.length())).hasSize(ScriptedExchanges.EVENT.length());
			assertThat(completed()).isEmpty();
			read.countDown();
			assertThat(body.readAllBytes()).asString(StandardCharsets.UTF_8).contains("[DONE]");
		}
		assertThat(completed()).extracting(Completed::outcome).containsExactly(CallOutcome.SUCCESS);
	}

	@Test
	void aStreamThatIsClosedEarlyIsCancelled() throws Exception {
		CountDownLatch closed = new CountDownLatch(1);
		this.answers.add((exchange) -> {
			exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
			exchange.sendResponseHeaders(200, 0);
			exchange.getResponseBody().write(ScriptedExchanges.EVENT.getBytes(StandardCharsets.UTF_8));
			exchange.getResponseBody().flush();
			await(closed);
		});
		try (InputStream body = client().send(question(), BodyHandlers.ofInputStream()).body()) {
			body.readNBytes(ScriptedExchanges.EVENT.length());
		}
		assertThat(completed()).extracting(Completed::outcome).containsExactly(CallOutcome.CANCELLED);
		closed.countDown();
	}

	@Test
	void aRefusalIsSentAgain() throws Exception {
		answer(429, "application/json", ScriptedExchanges.RATE_LIMITED);
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		assertThat(client().send(question(), BodyHandlers.ofString()).body()).isEqualTo(ScriptedExchanges.ANSWER);
		assertThat(this.received).extracting(Received::body)
			.containsExactly(ScriptedExchanges.QUESTION, ScriptedExchanges.QUESTION);
		assertThat(completed()).extracting(Completed::outcome)
			.containsExactly(CallOutcome.THROTTLED, CallOutcome.SUCCESS);
	}

	@Test
	void aRefusalIsSentAgainWithoutAThread() {
		answer(429, "application/json", ScriptedExchanges.RATE_LIMITED);
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		assertThat(sendAsync(client(), question()).join()).isEqualTo(ScriptedExchanges.ANSWER);
	}

	@Test
	void theLastRefusalIsTheCallersToRead() throws Exception {
		answer(429, "application/json", ScriptedExchanges.NO_QUOTA);
		HttpResponse<String> response = client().send(question(), BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.body()).isEqualTo(ScriptedExchanges.NO_QUOTA);
	}

	@Test
	void aLargeErrorIsHandedOnWhole() throws Exception {
		String large = "x".repeat(200_000);
		answer(400, "text/plain", large);
		assertThat(client().send(question(), BodyHandlers.ofString()).body()).isEqualTo(large);
		assertThat(completed()).extracting(Completed::outcome).containsExactly(CallOutcome.REJECTED);
	}

	@Test
	void aBodyThatCanBePublishedOnceIsSentAgain() throws Exception {
		answer(429, "application/json", ScriptedExchanges.RATE_LIMITED);
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		CompletableFuture<Void> published = new CompletableFuture<>();
		BodyPublisher bytes = BodyPublishers.ofString(ScriptedExchanges.QUESTION);
		HttpRequest once = request().POST(BodyPublishers.fromPublisher((subscriber) -> {
			assertThat(published.complete(null)).isTrue();
			bytes.subscribe(subscriber);
		}, bytes.contentLength())).build();
		assertThat(client().send(once, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
		assertThat(this.received).hasSize(2);
	}

	@Test
	void aBodyOfUnknownLengthIsNotRead() throws Exception {
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		HttpRequest stream = request()
			.POST(BodyPublishers.fromPublisher(BodyPublishers.ofString(ScriptedExchanges.QUESTION)))
			.build();
		client().send(stream, BodyHandlers.ofString());
		assertThat(this.received.get(0).body()).isEqualTo(ScriptedExchanges.QUESTION);
		assertThat(this.exchanges.calls().admitted().get(0).call().tokens().input()).isEqualTo(1000);
	}

	@Test
	void aRequestIsSentWithThePooledKeyAndItsOtherHeaders() throws Exception {
		this.exchanges = this.exchanges.withKey("pooled");
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		HttpRequest question = HttpRequest.newBuilder(question(), (name, value) -> true)
			.header("Authorization", "Bearer own")
			.header("x-trace", "1")
			.header("x-trace", "2")
			.build();
		client().send(question, BodyHandlers.ofString());
		Received request = this.received.get(0);
		assertThat(request.headers("Authorization")).containsExactly("Bearer pooled");
		assertThat(request.headers("x-trace")).containsExactly("1", "2");
		assertThat(request.body()).isEqualTo(ScriptedExchanges.QUESTION);
	}

	@Test
	void theScopeAroundACallNamesTheProviderAndTheOptions() {
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		HttpClient client = client();
		HttpRequest elsewhere = HttpRequest.newBuilder(URI.create(this.url + "/files")).build();
		LlmCallScope.of(LlmRateLimitAttributes.provider("openai"), LlmRateLimitAttributes.priority(Priority.BATCH))
			.during(() -> sendAsync(client, elsewhere))
			.join();
		assertThat(this.exchanges.calls().admitted()).singleElement()
			.satisfies((permit) -> assertThat(permit.call().priority()).isEqualTo(Priority.BATCH));
	}

	@Test
	void aFallbackMayAnswer() throws Exception {
		this.exchanges = this.exchanges.withFallback((refused) -> Mono.just(FallbackAnswer.json("{}")));
		answer(429, "application/json", ScriptedExchanges.NO_QUOTA);
		HttpResponse<String> response = client().send(question(), BodyHandlers.ofString());
		assertThat(response.body()).isEqualTo("{}");
		assertThat(response.headers().firstValue(LlmFallback.HEADER)).contains("QUOTA_EXHAUSTED");
		assertThat(response.uri()).isEqualTo(question().uri());
		assertThat(response.request().uri()).isEqualTo(question().uri());
		assertThat(response.previousResponse()).isEmpty();
		assertThat(response.sslSession()).isEmpty();
	}

	@Test
	void aRedirectIsStillKnown() throws Exception {
		this.answers.add((exchange) -> {
			exchange.getResponseHeaders().set("Location", "/v1/moved");
			exchange.sendResponseHeaders(307, -1);
		});
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		HttpResponse<String> response = client(
				HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build())
			.send(question(), BodyHandlers.ofString());
		assertThat(response.uri().getPath()).isEqualTo("/v1/moved");
		assertThat(response.previousResponse()).get().satisfies((previous) -> {
			assertThat(previous.statusCode()).isEqualTo(307);
			assertThat(previous.body()).isNull();
		});
	}

	@Test
	void requestsToOtherHostsAreNoneOfItsBusiness() throws Exception {
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		HttpRequest elsewhere = HttpRequest.newBuilder(URI.create(this.url + "/files")).build();
		HttpClient client = client();
		assertThat(client.send(elsewhere, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
		assertThat(sendAsync(client, elsewhere).join()).isEqualTo(ScriptedExchanges.ANSWER);
		assertThat(client.sendAsync(elsewhere, BodyHandlers.ofString(), null).join().statusCode()).isEqualTo(200);
		assertThat(this.exchanges.calls().admitted()).isEmpty();
	}

	@Test
	void aHandlerOfPushesIsPassedOn() {
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		HttpResponse<String> response = client()
			.sendAsync(question(), BodyHandlers.ofString(),
					HttpResponse.PushPromiseHandler.of((pushed) -> BodyHandlers.ofString(), new ConcurrentHashMap<>()))
			.join();
		assertThat(response.body()).isEqualTo(ScriptedExchanges.ANSWER);
	}

	@Test
	void aCallThatIsNotAdmittedFailsWithTheExceptionItself() {
		this.exchanges = this.exchanges.withLimits(LimitPlan.of(Limit.of("tokens-per-minute", Counted.TOKENS, 10,
				Duration.ofMinutes(1), LimitAlgorithm.SLIDING_WINDOW)));
		assertThatExceptionOfType(LlmRateLimitException.class)
			.isThrownBy(() -> client().send(question(), BodyHandlers.ofString()));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> sendAsync(client(), question()).join())
			.withCauseInstanceOf(LlmRateLimitException.class);
		assertThat(this.received).isEmpty();
	}

	@Test
	void aHandlerThatFailsGivesUpTheAnswer() {
		answer(200, "application/json", ScriptedExchanges.ANSWER);
		assertThatIOException().isThrownBy(() -> client().send(question(), (head) -> {
			throw new IllegalStateException("not this one");
		})).withRootCauseInstanceOf(IllegalStateException.class);
		assertThat(completed()).extracting(Completed::outcome).containsExactly(CallOutcome.CANCELLED);
	}

	@Test
	void whoCancelsGivesUpTheAnswer() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch cancelled = new CountDownLatch(1);
		this.answers.add((exchange) -> {
			asked.countDown();
			await(cancelled);
		});
		CompletableFuture<HttpResponse<String>> response = client().sendAsync(question(), BodyHandlers.ofString());
		asked.await();
		assertThat(response.cancel(true)).isTrue();
		assertThat(completed()).extracting(Completed::outcome).containsExactly(CallOutcome.CANCELLED);
		cancelled.countDown();
	}

	@Test
	void isConfiguredAsTheClientInside() {
		HttpClient inside = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(3)).build();
		HttpClient client = client(inside);
		assertThat(client.connectTimeout()).isEqualTo(inside.connectTimeout());
		assertThat(client.cookieHandler()).isEqualTo(inside.cookieHandler());
		assertThat(client.followRedirects()).isEqualTo(inside.followRedirects());
		assertThat(client.proxy()).isEqualTo(inside.proxy());
		assertThat(client.sslContext()).isSameAs(inside.sslContext());
		assertThat(client.sslParameters().getProtocols()).isEqualTo(inside.sslParameters().getProtocols());
		assertThat(client.authenticator()).isEqualTo(inside.authenticator());
		assertThat(client.version()).isEqualTo(inside.version());
		assertThat(client.executor()).isEqualTo(inside.executor());
		assertThat(client.newWebSocketBuilder()).isNotNull();
	}

	private List<Completed> completed() {
		return this.exchanges.calls().completed();
	}

	private HttpClient client() {
		return client(HttpClient.newHttpClient());
	}

	private HttpClient client(HttpClient inside) {
		return new LlmRateLimitHttpClient(inside, this.exchanges.create());
	}

	private static CompletableFuture<String> sendAsync(HttpClient client, HttpRequest request) {
		return client.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::body);
	}

	private HttpRequest question() {
		return request().POST(BodyPublishers.ofString(ScriptedExchanges.QUESTION)).build();
	}

	private HttpRequest.Builder request() {
		return HttpRequest.newBuilder(URI.create(this.url + "/v1/chat/completions"))
			.header("Content-Type", "application/json");
	}

	private void answer(int status, String contentType, String body) {
		this.answers.add((exchange) -> {
			byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", contentType);
			exchange.sendResponseHeaders(status, bytes.length);
			exchange.getResponseBody().write(bytes);
		});
	}

	private void answer(HttpExchange exchange) throws IOException {
		try (exchange) {
			this.received.add(new Received(exchange,
					new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
			this.answers.remove().write(exchange);
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private interface Answer {

		void write(HttpExchange exchange) throws IOException;

	}

	private record Received(HttpExchange exchange, String body) {

		List<String> headers(String name) {
			return this.exchange.getRequestHeaders().get(name);
		}

	}

}
