package io.github.llmratelimit.langchain4j;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import dev.langchain4j.http.client.jdk.JdkHttpClient;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.testing.LimitedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real models of LangChain4j against a provider behind a real HTTP server.
 */
@Timeout(60)
class LangChain4jWayInTests {

	private static final ScriptedResponse REFUSAL = ScriptedResponse.json(429,
			"""
					{"error":{"message":"Rate limit reached. Please try again in 5ms.","type":"requests","code":"rate_limit_exceeded"}}""");

	private final LimitedProvider provider = LimitedProvider.openAi();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.provider.close();
	}

	@Test
	void answersAreCountedOnce() {
		ChatModel model = model();
		List<CompletableFuture<String>> answers = IntStream.range(0, LimitedProvider.CALLS)
			.mapToObj((call) -> CompletableFuture.supplyAsync(() -> model.chat("Hello"), this.threads))
			.toList();
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.join()).isNotEmpty());
		this.provider.assertCountedOnce(LimitedProvider.CALLS);
	}

	@Test
	void streamsAreCountedOnce() {
		StreamingChatModel model = streamingModel();
		List<CompletableFuture<ChatResponse>> answers = IntStream.range(0, LimitedProvider.CALLS)
			.mapToObj((call) -> stream(model))
			.toList();
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.join().tokenUsage()).isNotNull());
		this.provider.assertCountedOnce(LimitedProvider.CALLS);
	}

	@Test
	void refusalsAreSentAgainByNobodyElse() {
		this.provider.simulator().script(REFUSAL);
		assertThat(model().chat("Hello")).isNotEmpty();
		assertThat(this.provider.calls().admitted()).hasSize(2);
		assertThat(this.provider.calls().retries()).hasSize(1);
	}

	@Test
	void refusedStreamsAreSentAgain() {
		this.provider.simulator().script(REFUSAL);
		assertThat(stream(streamingModel()).join().aiMessage().text()).isNotEmpty();
		assertThat(this.provider.calls().admitted()).hasSize(2);
	}

	private ChatModel model() {
		return OpenAiChatModel.builder()
			.httpClientBuilder(new LlmRateLimitHttpClientBuilder(this.provider.exchanges(), JdkHttpClient.builder()))
			.baseUrl(this.provider.url() + "/v1")
			.apiKey("key")
			.modelName("gpt-4o-mini")
			.build();
	}

	private StreamingChatModel streamingModel() {
		return OpenAiStreamingChatModel.builder()
			.httpClientBuilder(new LlmRateLimitHttpClientBuilder(this.provider.exchanges(), JdkHttpClient.builder()))
			.baseUrl(this.provider.url() + "/v1")
			.apiKey("key")
			.modelName("gpt-4o-mini")
			.build();
	}

	private static CompletableFuture<ChatResponse> stream(StreamingChatModel model) {
		CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
		model.chat("Hello", new StreamingChatResponseHandler() {

			@Override
			public void onCompleteResponse(ChatResponse response) {
				answer.complete(response);
			}

			@Override
			public void onError(Throwable failure) {
				answer.completeExceptionally(failure);
			}

		});
		return answer;
	}

}
