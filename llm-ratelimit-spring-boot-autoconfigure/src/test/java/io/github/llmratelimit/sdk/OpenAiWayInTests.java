package io.github.llmratelimit.sdk;

import java.util.concurrent.CompletableFuture;

import com.openai.client.OpenAIClient;
import com.openai.client.OpenAIClientImpl;
import com.openai.client.okhttp.OkHttpClient;
import com.openai.core.ClientOptions;
import com.openai.core.http.AsyncStreamResponse;
import com.openai.core.http.StreamResponse;
import com.openai.errors.InternalServerException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import io.github.llmratelimit.testing.LimitedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A real client of openai-java against a provider behind a real HTTP server.
 */
class OpenAiWayInTests {

	private static final ChatCompletionCreateParams QUESTION = ChatCompletionCreateParams.builder()
		.model("gpt-4o-mini")
		.addUserMessage("Hello")
		.streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build())
		.build();

	private final LimitedProvider provider = LimitedProvider.openAi();

	private final OpenAIClient client = new OpenAIClientImpl(ClientOptions.builder()
		.httpClient(new LlmRateLimitOpenAiHttpClient(OkHttpClient.builder().build(), this.provider.exchanges()))
		.baseUrl(this.provider.url() + "/v1")
		.apiKey("sk-test")
		.build());

	@AfterEach
	void close() {
		this.client.close();
		this.provider.close();
	}

	private ChatCompletion ask() {
		return this.client.chat().completions().create(QUESTION);
	}

	private CompletableFuture<ChatCompletion> askLater() {
		return this.client.async().chat().completions().create(QUESTION);
	}

	@Test
	void blockingCallsAreCountedOnce() {
		this.provider.callAll(() -> assertThat(ask().usage()).isPresent());
		this.provider.assertCountedOnce(LimitedProvider.CALLS);
	}

	@Test
	void blockingStreamsAreCountedOnce() {
		this.provider.callAll(() -> {
			try (StreamResponse<ChatCompletionChunk> chunks = this.client.chat()
				.completions()
				.createStreaming(QUESTION)) {
				assertThat(chunks.stream().filter((chunk) -> chunk.usage().isPresent())).hasSize(1);
			}
		});
		this.provider.assertCountedOnce(LimitedProvider.CALLS);
	}

	@Test
	void futuresAreCountedOnce() {
		this.provider.startAll(this::askLater);
		this.provider.assertCountedOnce(LimitedProvider.CALLS);
	}

	@Test
	void asynchronousStreamsAreCountedOnce() {
		this.provider.startAll(() -> {
			AsyncStreamResponse<ChatCompletionChunk> chunks = this.client.async()
				.chat()
				.completions()
				.createStreaming(QUESTION);
			return chunks.subscribe((chunk) -> {
			}).onCompleteFuture();
		});
		this.provider.assertCountedOnce(LimitedProvider.CALLS);
	}

	@Test
	void refusedCallsAreRepeatedByTheLimiterAlone() {
		this.provider.refuse(2);
		assertThat(ask().choices()).isNotEmpty();
		this.provider.refuse(2);
		assertThat(askLater().join().choices()).isNotEmpty();
		this.provider.assertRepeated(4, 2);
	}

	@Test
	void lastRefusalIsNotRepeatedByTheSdk() {
		this.provider.refuse(LimitedProvider.MAX_ATTEMPTS);
		assertThatExceptionOfType(InternalServerException.class).isThrownBy(this::ask);
		assertThat(this.provider.simulator().ledger().arrivals()).isEqualTo(LimitedProvider.MAX_ATTEMPTS);
	}

	@Test
	void lastRefusalOfFutureIsNotRepeatedByTheSdk() {
		this.provider.refuse(LimitedProvider.MAX_ATTEMPTS);
		assertThat(askLater()).failsWithin(LimitedProvider.LONG_ENOUGH)
			.withThrowableThat()
			.withCauseInstanceOf(InternalServerException.class);
		assertThat(this.provider.simulator().ledger().arrivals()).isEqualTo(LimitedProvider.MAX_ATTEMPTS);
	}

}
