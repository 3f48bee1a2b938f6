package io.github.llmratelimit.jdkclient;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.testing.LimitedProvider;
import io.github.llmratelimit.testing.ScriptedExchanges;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real {@link HttpClient} against a provider behind a real HTTP server.
 */
class HttpClientWayInTests {

	/* As many threads as a machine of any size can run at about the same time. */
	private static final int CALLERS = 20;

	@Test
	void blockingCallsAreCountedOnce() {
		Scheduler callers = Schedulers.newBoundedElastic(CALLERS, Integer.MAX_VALUE, "caller");
		try (LimitedProvider provider = LimitedProvider.openAi()) {
			HttpClient client = client(provider);
			HttpRequest question = question(provider, false);
			Flux.range(0, LimitedProvider.CALLS)
				.flatMap((call) -> Mono.fromCallable(() -> client.send(question, BodyHandlers.ofString()))
					.subscribeOn(callers), CALLERS)
				.blockLast();
			provider.assertCountedOnce(LimitedProvider.CALLS);
		}
		finally {
			callers.dispose();
		}
	}

	@Test
	void callsWithoutAThreadAreCountedOnce() {
		countedOnce(false, (body) -> body.contains("usage"));
	}

	@Test
	void streamsAreCountedOnce() {
		countedOnce(true, (body) -> body.contains("data: [DONE]"));
	}

	@Test
	void refusalsAreRetriedByOneOwner() throws Exception {
		try (LimitedProvider provider = LimitedProvider.openAi()) {
			provider.simulator()
				.script(ScriptedResponse.json(429, ScriptedExchanges.RATE_LIMITED).header("retry-after-ms", "1"),
						ScriptedResponse.json(503, "{}").header("retry-after-ms", "1"));
			assertThat(client(provider).send(question(provider, false), BodyHandlers.ofString()).body())
				.contains("usage");
			assertThat(provider.calls().admitted()).hasSize(3);
		}
	}

	private static void countedOnce(boolean stream, Function<String, Boolean> whole) {
		try (LimitedProvider provider = LimitedProvider.openAi()) {
			HttpClient client = client(provider);
			HttpRequest question = question(provider, stream);
			List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, LimitedProvider.CALLS)
				.mapToObj((call) -> client.sendAsync(question, BodyHandlers.ofString()))
				.toList();
			assertThat(answers).allSatisfy((answer) -> assertThat(whole.apply(answer.join().body())).isTrue());
			provider.assertCountedOnce(LimitedProvider.CALLS);
		}
	}

	private static HttpClient client(LimitedProvider provider) {
		return new LlmRateLimitHttpClient(HttpClient.newHttpClient(), provider.exchanges());
	}

	private static HttpRequest question(LimitedProvider provider, boolean stream) {
		return HttpRequest.newBuilder(URI.create(provider.url() + "/v1/chat/completions"))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("""
					{"model": "gpt-4o-mini", "stream": %s, "stream_options": {"include_usage": true},
					 "messages": [{"role": "user", "content": "Hello"}]}""".formatted(stream)))
			.build();
	}

}
