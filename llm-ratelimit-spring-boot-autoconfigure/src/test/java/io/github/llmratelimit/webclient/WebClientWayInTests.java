package io.github.llmratelimit.webclient;

import io.github.llmratelimit.testing.LimitedProvider;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real {@link WebClient} against a provider behind a real HTTP server.
 */
class WebClientWayInTests {

	@Test
	void answersAreCountedOnce() {
		try (LimitedProvider provider = LimitedProvider.openAi()) {
			Flux.range(0, LimitedProvider.CALLS)
				.flatMap((call) -> chat(provider, false).bodyToMono(String.class), LimitedProvider.CALLS)
				.blockLast();
			provider.assertCountedOnce(LimitedProvider.CALLS);
		}
	}

	@Test
	void streamsAreCountedOnce() {
		try (LimitedProvider provider = LimitedProvider.openAi()) {
			Long ended = Flux.range(0, LimitedProvider.CALLS)
				.flatMap((call) -> chat(provider, true).bodyToFlux(String.class).filter("[DONE]"::equals),
						LimitedProvider.CALLS)
				.count()
				.block();
			assertThat(ended).isEqualTo(LimitedProvider.CALLS);
			provider.assertCountedOnce(LimitedProvider.CALLS);
		}
	}

	private static WebClient.ResponseSpec chat(LimitedProvider provider, boolean stream) {
		WebClient.Builder builder = WebClient.builder().baseUrl(provider.url());
		new LlmRateLimitWebClientCustomizer(new LlmRateLimitFilter(provider.exchanges())).customize(builder);
		return builder.build().post().uri("/v1/chat/completions").contentType(MediaType.APPLICATION_JSON).bodyValue("""
				{"model": "gpt-4o-mini", "stream": %s, "stream_options": {"include_usage": true},
				 "messages": [{"role": "user", "content": "Hello"}]}""".formatted(stream)).retrieve();
	}

}
