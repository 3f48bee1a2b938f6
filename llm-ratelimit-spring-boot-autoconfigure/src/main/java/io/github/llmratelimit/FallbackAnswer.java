package io.github.llmratelimit;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What takes the place of a provider's answer: a response, or the same request sent once
 * more, to somebody else.
 */
public sealed interface FallbackAnswer {

	/**
	 * A response of status 200 with a JSON body.
	 * @param body the body, as the provider would have written it
	 * @return the answer
	 */
	static FallbackAnswer json(String body) {
		return response(200, "application/json", body.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * A response of any kind, a stream of events for example.
	 * @param status its HTTP status
	 * @param contentType its content type
	 * @param body its body, as the provider would have written it
	 * @return the answer
	 */
	static FallbackAnswer response(int status, String contentType, byte[] body) {
		return new Response(status, contentType, body);
	}

	/**
	 * The same request to another model of the same provider.
	 * @param model name of the model
	 * @return the answer
	 */
	static Resend askModel(String model) {
		return new Resend(null, model, Map.of());
	}

	/**
	 * The same request to another URL, whose provider must understand it. To another host
	 * no header of the request goes with it but {@code Accept} and {@code Content-Type}.
	 * @param url the whole URL
	 * @return the answer
	 */
	static Resend sendTo(URI url) {
		return new Resend(url, null, Map.of());
	}

	/**
	 * A response.
	 *
	 * @param status its HTTP status
	 * @param contentType its content type
	 * @param body its body
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Response(int status, String contentType, byte[] body) implements FallbackAnswer {

	}

	/**
	 * The same request, sent within the limits of the provider it goes to. It has failed
	 * if the response is an error.
	 *
	 * @param url where it is sent, {@code null} for where it was to be sent before
	 * @param model the model it asks, {@code null} for the one it names
	 * @param headers headers that are set, such as the key
	 */
	record Resend(@Nullable URI url, @Nullable String model, Map<String, String> headers) implements FallbackAnswer {

		public Resend {
			headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
		}

		public Resend withModel(String model) {
			return new Resend(this.url, model, this.headers);
		}

		public Resend withHeader(String name, String value) {
			Map<String, String> headers = new LinkedHashMap<>(this.headers);
			headers.put(name, value);
			return new Resend(this.url, this.model, headers);
		}

		/* A header may hold a key. */
		@Override
		public String toString() {
			return "Resend[url=%s, model=%s, headers=%s]".formatted(this.url, this.model, this.headers.keySet());
		}

	}

}
