package io.github.llmratelimit.sample.ways;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * A client that knows no limits, as any library might bring along.
 */
@Component
class UnlimitedClient {

	private final HttpClient client = HttpClient.newHttpClient();

	private final URI url;

	UnlimitedClient(@Value("${simulator.url}") String url) {
		this.url = URI.create(url + Question.PATH);
	}

	String ask(String question) {
		try {
			return this.client.send(request(question), BodyHandlers.ofString()).body();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	CompletableFuture<String> askLater(String question) {
		return this.client.sendAsync(request(question), BodyHandlers.ofString()).thenApply(HttpResponse::body);
	}

	private HttpRequest request(String question) {
		return HttpRequest.newBuilder(this.url)
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(Question.json(question)))
			.build();
	}

}
