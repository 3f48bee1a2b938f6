package io.github.llmratelimit.sample.ways;

import java.util.stream.Collectors;

import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/**
 * What is built from the injected {@link WebClient.Builder} is limited.
 */
@Configuration(proxyBeanMethods = false)
class WebClientWays {

	private final WebClient client;

	WebClientWays(WebClient.Builder builder, @Value("${simulator.url}") String url) {
		this.client = builder.baseUrl(url).build();
	}

	@Bean
	WayIn webClient() {
		return new WayIn("WebClient", (question) -> post(Question.json(question)).bodyToMono(String.class));
	}

	@Bean
	WayIn webClientStream() {
		return new WayIn("WebClient, stream", (question) -> post(Question.streaming(question)).bodyToFlux(String.class)
			.collect(Collectors.joining()));
	}

	private WebClient.ResponseSpec post(String json) {
		return this.client.post().uri(Question.PATH).contentType(MediaType.APPLICATION_JSON).bodyValue(json).retrieve();
	}

	@Bean
	WayIn httpInterface() {
		Completions completions = HttpServiceProxyFactory.builderFor(WebClientAdapter.create(this.client))
			.build()
			.createClient(Completions.class);
		return new WayIn("HTTP interface", (question) -> completions.create(Question.json(question)));
	}

	interface Completions {

		@PostExchange(url = Question.PATH, contentType = MediaType.APPLICATION_JSON_VALUE)
		Mono<String> create(@RequestBody String request);

	}

}
