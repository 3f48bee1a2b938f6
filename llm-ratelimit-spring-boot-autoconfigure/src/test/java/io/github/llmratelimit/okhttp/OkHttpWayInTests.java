package io.github.llmratelimit.okhttp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.testing.LimitedProvider;
import io.github.llmratelimit.testing.RecordedCalls.Completed;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Dispatcher;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real {@link OkHttpClient} against a provider behind a real HTTP server.
 */
class OkHttpWayInTests {

	private static final MediaType JSON = MediaType.get("application/json; charset=utf-8");

	private final LimitedProvider provider = LimitedProvider.openAi();

	private final OkHttpClient client = new LlmRateLimitOkHttpInterceptor(this.provider.exchanges())
		.addTo(new OkHttpClient.Builder().dispatcher(wide()))
		.build();

	private static Dispatcher wide() {
		Dispatcher dispatcher = new Dispatcher();
		dispatcher.setMaxRequests(LimitedProvider.CALLS);
		dispatcher.setMaxRequestsPerHost(LimitedProvider.CALLS);
		return dispatcher;
	}

	@AfterEach
	void close() {
		this.client.dispatcher().executorService().shutdown();
		this.client.connectionPool().evictAll();
		this.provider.close();
	}

	private Request question(RequestBody body) {
		return new Request.Builder().url(this.provider.url() + "/v1/chat/completions").post(body).build();
	}

	private Request question(boolean stream) {
		return question(RequestBody.create(json(stream), JSON));
	}

	private static String json(boolean stream) {
		return """
				{"model": "gpt-4o-mini", "stream": %s, "stream_options": {"include_usage": true},
				 "messages": [{"role": "user", "content": "Hello"}]}""".formatted(stream);
	}

	private static String text(Response response) {
		try (response) {
			return response.body().string();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Response ask(Request question) {
		return ask(this.client, question);
	}

	private static Response ask(OkHttpClient client, Request question) {
		try {
			return client.newCall(question).execute();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private CompletableFuture<Response> askLater(Request question) {
		CompletableFuture<Response> answer = new CompletableFuture<>();
		this.client.newCall(question).enqueue(new Callback() {

			@Override
			public void onFailure(Call call, IOException ex) {
				answer.completeExceptionally(ex);
			}

			@Override
			public void onResponse(Call call, Response response) {
				answer.complete(response);
			}

		});
		return answer;
	}

	@Test
	void blockingCallsAreCountedOnce() {
		this.provider.callAll(() -> assertThat(text(ask(question(false)))).contains("\"usage\""));
		this.provider.assertCountedOnce(LimitedProvider.CALLS);
	}

	@Test
	void streamsOfEnqueuedCallsAreCountedOnce() {
		this.provider.startAll(() -> askLater(question(true)).thenApply(OkHttpWayInTests::text)
			.thenAccept((text) -> assertThat(text).contains("[DONE]")));
		this.provider.assertCountedOnce(LimitedProvider.CALLS);
	}

	@Test
	void refusedCallsAreRepeated() {
		this.provider.refuse(2);
		assertThat(ask(question(false)).isSuccessful()).isTrue();
		assertThat(this.provider.simulator().ledger().arrivals()).isEqualTo(3);
	}

	@Test
	void lastRefusalSaysThatItNeedNotBeRepeated() {
		this.provider.refuse(LimitedProvider.MAX_ATTEMPTS);
		try (Response response = ask(question(false))) {
			assertThat(response.code()).isEqualTo(503);
			assertThat(response.header("x-should-retry")).isEqualTo("false");
			assertThat(response.header(LlmRateLimitOkHttpInterceptor.REASON_HEADER)).isNull();
		}
		assertThat(this.provider.simulator().ledger().arrivals()).isEqualTo(LimitedProvider.MAX_ATTEMPTS);
	}

	@Test
	void bodyThatCanBeWrittenOnceIsSentOnce() {
		this.provider.refuse(1);
		try (Response response = ask(question(new OneShotBody()))) {
			assertThat(response.code()).isEqualTo(429);
		}
		assertThat(this.provider.simulator().ledger().arrivals()).isOne();
	}

	@Test
	void waitThatLeavesTheClientNoTimeIsRefusedAtOnce() {
		OkHttpClient impatient = this.client.newBuilder().callTimeout(Duration.ofMinutes(1)).build();
		this.provider.simulator()
			.script(ScriptedResponse.json(429, "{\"error\":{\"code\":\"rate_limit_exceeded\"}}")
				.header("retry-after", "600"));
		ask(impatient, question(false)).close();
		try (Response response = ask(impatient, question(false))) {
			assertThat(response.code()).isEqualTo(429);
			assertThat(response.header("x-should-retry")).isEqualTo("false");
			assertThat(Integer.parseInt(response.header("retry-after"))).isBetween(61, 601);
			assertThat(response.header(LlmRateLimitOkHttpInterceptor.REASON_HEADER)).isEqualTo("WAIT_TOO_LONG");
			assertThat(text(response)).contains("\"code\":\"WAIT_TOO_LONG\"");
		}
		assertThat(this.provider.simulator().ledger().arrivals()).isOne();
	}

	@Test
	void responseThatIsClosedUnreadEndsItsPermit() {
		ask(question(false)).close();
		assertThat(this.provider.calls().completed()).extracting(Completed::outcome)
			.containsExactly(CallOutcome.SUCCESS);
	}

	@Test
	void requestToAnotherHostPassesUntouched() {
		try (LimitedProvider other = LimitedProvider.openAi()) {
			Request request = new Request.Builder().url(other.url() + "/v1/chat/completions")
				.post(new OneShotBody())
				.build();
			assertThat(ask(request).isSuccessful()).isTrue();
		}
		assertThat(this.provider.calls().admitted()).isEmpty();
	}

	@Test
	void interceptorIsAddedOnce() {
		OkHttpClient.Builder again = new LlmRateLimitOkHttpInterceptor(this.provider.exchanges())
			.addTo(this.client.newBuilder());
		assertThat(again.build().interceptors()).hasSize(1);
	}

	private static final class OneShotBody extends RequestBody {

		private boolean written;

		@Override
		public MediaType contentType() {
			return JSON;
		}

		@Override
		public boolean isOneShot() {
			return true;
		}

		@Override
		public void writeTo(BufferedSink sink) throws IOException {
			assertThat(this.written).isFalse();
			this.written = true;
			sink.writeUtf8(json(false));
		}

	}

}
