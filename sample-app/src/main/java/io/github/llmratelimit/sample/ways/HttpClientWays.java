package io.github.llmratelimit.sample.ways;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.jdkclient.LlmRateLimitHttpClient;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The JDK's {@link HttpClient} in a client that waits.
 */
@Configuration(proxyBeanMethods = false)
class HttpClientWays {

	private final HttpClient client;

	private final URI url;

	HttpClientWays(LlmExchanges exchanges, @Value("${simulator.url}") String url) {
		this.client = new LlmRateLimitHttpClient(HttpClient.newHttpClient(), exchanges);
		this.url = URI.create(url + Question.PATH);
	}

	@Bean
	WayIn httpClient() {
		return WayIn.blocking("HttpClient of the JDK, send",
				(question) -> this.client.send(request(Question.json(question)), BodyHandlers.ofString()).body());
	}

	@Bean
	WayIn httpClientAsync() {
		return new WayIn("HttpClient of the JDK, sendAsync",
				(question) -> Mono
					.fromFuture(
							() -> this.client.sendAsync(request(Question.streaming(question)), BodyHandlers.ofString()))
					.map(HttpResponse::body));
	}

	private HttpRequest request(String json) {
		return HttpRequest.newBuilder(this.url)
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(json))
			.build();
	}

}
