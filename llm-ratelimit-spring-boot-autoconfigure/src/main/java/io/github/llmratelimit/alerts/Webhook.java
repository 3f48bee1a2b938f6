package io.github.llmratelimit.alerts;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A URL that takes messages. Whoever knows all of it may write there, so that only its
 * beginning is ever shown. Redirects are not followed. Thread-safe.
 */
final class Webhook {

	private static final int LONGEST_ANSWER = 4096;

	private final URI url;

	private final Duration timeout;

	private final HttpClient client;

	Webhook(URI url, Duration timeout) {
		if (url.getScheme() == null || url.getHost() == null) {
			throw new IllegalArgumentException("The URL of a webhook needs a scheme and a host");
		}
		this.url = url;
		this.timeout = timeout;
		this.client = HttpClient.newBuilder()
			.version(Version.HTTP_1_1)
			.followRedirects(Redirect.NEVER)
			.connectTimeout(timeout)
			.build();
	}

	/**
	 * Send a message and wait for the answer.
	 * @param json the message
	 * @return the answer
	 * @throws ExecutionException if there is none
	 * @throws TimeoutException if it is not complete in time
	 * @throws InterruptedException if the thread is interrupted
	 */
	Answer post(String json) throws ExecutionException, TimeoutException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(this.url)
			.header("Content-Type", "application/json; charset=utf-8")
			.POST(BodyPublishers.ofString(json))
			.build();
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		CompletableFuture<HttpResponse<Void>> exchange = this.client.sendAsync(request, beginning(body));
		try {
			HttpResponse<Void> response = exchange.get(this.timeout.toMillis(), TimeUnit.MILLISECONDS);
			return new Answer(response.statusCode(), body.toString(StandardCharsets.UTF_8));
		}
		finally {
			exchange.cancel(true);
		}
	}

	private static BodyHandler<Void> beginning(ByteArrayOutputStream body) {
		return BodyHandlers.ofByteArrayConsumer((chunk) -> chunk
			.ifPresent((bytes) -> body.write(bytes, 0, Math.min(bytes.length, LONGEST_ANSWER - body.size()))));
	}

	@Override
	public String toString() {
		return this.url.getScheme() + "://" + this.url.getHost();
	}

	/**
	 * An answer.
	 *
	 * @param status its status
	 * @param body the beginning of its body
	 */
	record Answer(int status, String body) {

		boolean isSuccessful() {
			return this.status >= 200 && this.status < 300;
		}

	}

}
