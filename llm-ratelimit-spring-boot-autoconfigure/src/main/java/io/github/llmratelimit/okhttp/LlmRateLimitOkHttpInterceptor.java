package io.github.llmratelimit.okhttp;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.provider.Provider;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import reactor.util.context.Context;

import org.springframework.boot.json.JsonWriter;

/**
 * Lets requests to known providers wait their turn, on the thread that OkHttp has given
 * to them; requests to other hosts pass untouched. Thread-safe. To be added as an
 * application interceptor, after all that change requests or repeat them.
 * <p>
 * Waiting counts against the call timeout of the client, if it has one: a call that would
 * have to wait for more than three quarters of it is refused at once. A call that is not
 * admitted is answered by a response with status 429, {@code x-should-retry: false}, the
 * reason in {@value #REASON_HEADER}, and {@code retry-after} where it is known: what is
 * built on OkHttp would repeat the call after an exception.
 */
public final class LlmRateLimitOkHttpInterceptor implements Interceptor {

	/**
	 * The header of a response that no provider has sent: the name of a
	 * {@link io.github.llmratelimit.LlmRateLimitException.Reason}.
	 */
	public static final String REASON_HEADER = "x-llm-ratelimit-reason";

	private static final String SHOULD_RETRY = "x-should-retry";

	private static final JsonWriter<Object> JSON = JsonWriter.standard();

	private final LlmExchanges exchanges;

	/**
	 * Create an interceptor.
	 * @param exchanges sends requests within limits
	 */
	public LlmRateLimitOkHttpInterceptor(LlmExchanges exchanges) {
		this.exchanges = exchanges;
	}

	/**
	 * Add this interceptor to a client, after those that it has.
	 * @param builder builder of the client
	 * @return the builder; unchanged if it has one already
	 */
	public OkHttpClient.Builder addTo(OkHttpClient.Builder builder) {
		boolean present = builder.interceptors().stream().anyMatch(LlmRateLimitOkHttpInterceptor.class::isInstance);
		return present ? builder : builder.addInterceptor(this);
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		Provider provider = this.exchanges.limiting(chain.request().url().uri());
		return (provider != null) ? intercept(provider, chain) : chain.proceed(chain.request());
	}

	private Response intercept(Provider provider, Chain chain) throws IOException {
		Request request = chain.request();
		try {
			return last(provider,
					this.exchanges.executeBlocking(provider, OkHttpTransport.view(request, attributes(provider, chain)),
							(thread) -> new OkHttpTransport(chain, thread)));
		}
		catch (LlmRateLimitException refusal) {
			return refused(request, refusal);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted while waiting for the response");
		}
	}

	/* The rest of the time is for the answer. */
	private Map<String, Object> attributes(Provider provider, Chain chain) {
		Map<String, Object> attributes = new HashMap<>(LlmCallScope.around(Map.of(), Context.empty()));
		Duration timeout = Duration.ofNanos(chain.call().timeout().timeoutNanos());
		if (!timeout.isZero()) {
			Duration longest = timeout.dividedBy(4).multipliedBy(3);
			LlmRateLimitAttributes.maxWait(this.exchanges.maxWait(provider, attributes, longest)).accept(attributes);
		}
		return attributes;
	}

	/* What was worth sending again has been. */
	private Response last(Provider provider, Response response) {
		return (response.code() >= 400 && this.exchanges.isRetrying(provider))
				? response.newBuilder().header(SHOULD_RETRY, "false").build() : response;
	}

	private static Response refused(Request request, LlmRateLimitException refusal) {
		String reason = refusal.reason().name();
		String body = JSON.writeToString(Map.of("error",
				Map.of("type", "llm_rate_limit", "code", reason, "message", String.valueOf(refusal.getMessage()))));
		Response.Builder response = OkHttpTransport
			.response(request, 429, "Too Many Requests", "application/json", body.getBytes(StandardCharsets.UTF_8))
			.newBuilder()
			.header(SHOULD_RETRY, "false")
			.header(REASON_HEADER, reason);
		Duration wait = refusal.retryAfter();
		if (wait != null) {
			response.header("retry-after", String.valueOf(wait.plusSeconds(1).minusNanos(1).toSeconds()));
		}
		return response.build();
	}

}
