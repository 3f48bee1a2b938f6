package io.github.llmratelimit.sdk;

import java.util.concurrent.CompletableFuture;

import com.anthropic.backends.AnthropicBackend;
import com.anthropic.backends.Backend;
import com.anthropic.client.AnthropicClient;
import com.anthropic.client.AnthropicClientImpl;
import com.anthropic.client.okhttp.OkHttpClient;
import com.anthropic.core.ClientOptions;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.errors.InternalServerException;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import io.github.llmratelimit.testing.LimitedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A real client of anthropic-java against a provider behind a real HTTP server.
 */
class AnthropicWayInTests {

	private static final MessageCreateParams QUESTION = MessageCreateParams.builder()
		.model("claude-haiku-4-5")
		.maxTokens(40)
		.addUserMessage("Hello")
		.build();

	private final LimitedProvider provider = LimitedProvider.anthropic();

	private final Backend backend = AnthropicBackend.builder().apiKey("sk-test").baseUrl(this.provider.url()).build();

	private final AnthropicClient client = new AnthropicClientImpl(ClientOptions.builder()
		.httpClient(new LlmRateLimitAnthropicHttpClient(OkHttpClient.builder().backend(this.backend).build(),
				this.provider.exchanges()))
		.baseUrl(this.provider.url())
		.build());

	@AfterEach
	void close() {
		this.client.close();
		this.provider.close();
	}

	private Message ask() {
		return this.client.messages().create(QUESTION);
	}

	private CompletableFuture<Message> askLater() {
		return this.client.async().messages().create(QUESTION);
	}

	@Test
	void blockingCallsAreCountedOnce() {
		this.provider.callAll(() -> assertThat(ask().content()).isNotEmpty());
		this.provider.assertCountedOnce(LimitedProvider.CALLS);
	}

	@Test
	void blockingStreamsAreCountedOnce() {
		this.provider.callAll(() -> {
			try (StreamResponse<RawMessageStreamEvent> events = this.client.messages().createStreaming(QUESTION)) {
				assertThat(events.stream().filter(RawMessageStreamEvent::isMessageStop)).hasSize(1);
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
		this.provider.startAll(() -> this.client.async().messages().createStreaming(QUESTION).subscribe((event) -> {
		}).onCompleteFuture());
		this.provider.assertCountedOnce(LimitedProvider.CALLS);
	}

	@Test
	void refusedCallsAreRepeatedByTheLimiterAlone() {
		this.provider.refuse(2);
		assertThat(ask().content()).isNotEmpty();
		this.provider.refuse(2);
		assertThat(askLater().join().content()).isNotEmpty();
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
