package io.github.llmratelimit.restclient;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.testing.LimitedProvider;
import io.github.llmratelimit.testing.ScriptedExchanges;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real {@link RestClient} and {@link RestTemplate} against a provider behind a real
 * HTTP server.
 */
class RestClientWayInTests {

	/* As many threads as a machine of any size can run at about the same time. */
	private static final int CALLERS = 20;

	@Test
	void answersAreCountedOnce() {
		try (LimitedProvider provider = LimitedProvider.openAi()) {
			RestClient client = client(provider);
			assertThat(callAll(() -> chat(client, false).retrieve().body(String.class)))
				.isEqualTo(LimitedProvider.CALLS);
			provider.assertCountedOnce(LimitedProvider.CALLS);
		}
	}

	@Test
	void streamsAreCountedOnce() {
		try (LimitedProvider provider = LimitedProvider.openAi()) {
			RestClient client = client(provider);
			assertThat(callAll(() -> chat(client, true).exchange((request, response) -> {
				BufferedReader lines = new BufferedReader(
						new InputStreamReader(response.getBody(), StandardCharsets.UTF_8));
				return lines.lines().toList();
			}))).isEqualTo(LimitedProvider.CALLS);
			provider.assertCountedOnce(LimitedProvider.CALLS);
		}
	}

	@Test
	void templatesAreCountedOnce() {
		try (LimitedProvider provider = LimitedProvider.openAi()) {
			RestTemplate template = new RestTemplate();
			new LlmRateLimitInterceptor(provider.exchanges()).addTo(template);
			HttpHeaders headers = new HttpHeaders();
			headers.setContentType(MediaType.APPLICATION_JSON);
			HttpEntity<String> request = new HttpEntity<>(json(false), headers);
			assertThat(
					callAll(() -> template.postForObject(provider.url() + "/v1/chat/completions", request, Map.class)))
				.isEqualTo(LimitedProvider.CALLS);
			provider.assertCountedOnce(LimitedProvider.CALLS);
		}
	}

	@Test
	void refusalsAreRetriedByOneOwner() {
		try (LimitedProvider provider = LimitedProvider.openAi()) {
			provider.simulator()
				.script(ScriptedResponse.json(429, ScriptedExchanges.RATE_LIMITED).header("retry-after-ms", "1"),
						ScriptedResponse.json(503, "{}").header("retry-after-ms", "1"));
			assertThat(chat(client(provider), false).retrieve().body(String.class)).contains("usage");
			assertThat(provider.calls().admitted()).hasSize(3);
			assertThat(provider.calls().retries()).hasSize(2);
		}
	}

	private static long callAll(Supplier<?> call) {
		Scheduler callers = Schedulers.newBoundedElastic(CALLERS, Integer.MAX_VALUE, "caller");
		try {
			return Flux.range(0, LimitedProvider.CALLS)
				.flatMap((number) -> Mono.fromSupplier(call).subscribeOn(callers), CALLERS)
				.count()
				.blockOptional()
				.orElseThrow();
		}
		finally {
			callers.dispose();
		}
	}

	private static RestClient client(LimitedProvider provider) {
		return RestClient.builder()
			.baseUrl(provider.url())
			.requestInterceptor(new LlmRateLimitInterceptor(provider.exchanges()))
			.build();
	}

	private static RestClient.RequestBodySpec chat(RestClient client, boolean stream) {
		return client.post().uri("/v1/chat/completions").contentType(MediaType.APPLICATION_JSON).body(json(stream));
	}

	private static String json(boolean stream) {
		return """
				{"model": "gpt-4o-mini", "stream": %s, "stream_options": {"include_usage": true},
				 "messages": [{"role": "user", "content": "Hello"}]}""".formatted(stream);
	}

}
