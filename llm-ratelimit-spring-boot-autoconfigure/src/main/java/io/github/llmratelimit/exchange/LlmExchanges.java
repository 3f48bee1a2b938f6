package io.github.llmratelimit.exchange;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.ModelInPath;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.ResponseHead;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.time.WaitingThread;
import io.github.llmratelimit.token.RequestFacts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Sends the requests of any HTTP client within the limits of the providers they go to.
 * Thread-safe; never blocks, but for {@link #executeBlocking}.
 */
public final class LlmExchanges {

	/** What a body counts as that cannot be read: not JSON, streamed, multipart, huge. */
	private static final TokenEstimate UNREADABLE_BODY = TokenEstimate.of(1000, 0);

	private final ProviderRegistry providers;

	private final LlmCallPipeline pipeline;

	private final CallEstimator estimator;

	private final TimeSource time;

	private final Map<String, ExchangeOptions> options;

	private final Map<String, UnreadBodies> unread;

	private final UnreadBodies unreadElsewhere;

	/**
	 * Create the means to send requests.
	 * @param providers which URL means which provider
	 * @param pipeline the way of a call
	 * @param estimator estimates the calls
	 * @param time the time
	 * @param options how exchanges are handled, by provider
	 */
	public LlmExchanges(ProviderRegistry providers, LlmCallPipeline pipeline, CallEstimator estimator, TimeSource time,
			Map<String, ExchangeOptions> options) {
		this.providers = providers;
		this.pipeline = pipeline;
		this.estimator = estimator;
		this.time = time;
		this.options = Map.copyOf(options);
		this.unread = options.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
					(entry) -> new UnreadBodies(entry.getValue().permitTimeout(), time)));
		this.unreadElsewhere = new UnreadBodies(ExchangeOptions.DEFAULT.permitTimeout(), time);
	}

	/**
	 * The provider whose limits apply to a request.
	 * @param url where it goes
	 * @param attributes what its client was told about it, by name
	 * @return the provider, {@code null} if the request is to be sent untouched
	 * @throws IllegalArgumentException if the attributes name a provider that does not
	 * exist
	 */
	public @Nullable Provider limiting(URI url, Map<String, Object> attributes) {
		String name = LlmRateLimitAttributes.providerOf(attributes);
		Provider provider = (name != null) ? this.providers.named(name) : this.providers.find(url);
		if (name != null && provider == null) {
			throw new IllegalArgumentException("provider: " + name + " (expected: a configured provider)");
		}
		return (provider != null && provider.limited()) ? provider : null;
	}

	/**
	 * How long a request may wait whose client gives up after a time.
	 * @param provider the provider
	 * @param attributes what its client was told about it, by name
	 * @param longest the longest time that leaves the client enough of its own
	 * @return the shorter of that and of what the request or its provider allows
	 */
	public Duration maxWait(Provider provider, Map<String, Object> attributes, Duration longest) {
		Duration allowed = options(provider).queue()
			.maxWaitOf(LlmRateLimitAttributes.apply(LlmCall.to(provider.name()), attributes));
		return (allowed.compareTo(longest) < 0) ? allowed : longest;
	}

	/**
	 * Whether refused requests to a provider are sent again here.
	 * @param provider the provider
	 * @return true if no client need do it
	 */
	public boolean isRetrying(Provider provider) {
		return options(provider).retrying();
	}

	private ExchangeOptions options(Provider provider) {
		return this.options.getOrDefault(provider.name(), ExchangeOptions.DEFAULT);
	}

	/**
	 * The provider whose limits apply to a request of a client that is told nothing about
	 * single calls, but by the {@link LlmCallScope} around them.
	 * @param url where it goes
	 * @return the provider, {@code null} if the request is to be sent untouched
	 */
	public @Nullable Provider limiting(URI url) {
		return limiting(url, LlmCallScope.around(Map.of(), Context.empty()));
	}

	/**
	 * Send a request within the limits of its provider, if it has one.
	 * @param <R> type of the response
	 * @param request the request
	 * @param transport how it is sent
	 * @return the response
	 */
	<R> Mono<R> execute(LlmRequest request, HttpTransport<R> transport) {
		Provider provider = limiting(request.url(), request.attributes());
		return (provider != null) ? execute(provider, request, transport) : transport.send(request);
	}

	/**
	 * Send a request within the limits of a provider.
	 * @param <R> type of the response
	 * @param provider the provider
	 * @param request the request
	 * @param transport how it is sent
	 * @return the response, or that of a fallback; or an error if there is none, such as
	 * a {@link io.github.llmratelimit.LlmRateLimitException}
	 */
	public <R> Mono<R> execute(Provider provider, LlmRequest request, HttpTransport<R> transport) {
		return Mono.deferContextual((context) -> executeWithin(provider, request.within(context), transport));
	}

	private <R> Mono<R> executeWithin(Provider provider, LlmRequest request, HttpTransport<R> transport) {
		RequestFacts facts = request.facts();
		LlmRequest toSend = asksForUsage(provider, facts) ? request.withStreamUsage() : request;
		RequestKeys keys = new RequestKeys(provider);
		return this.pipeline.execute(keys.assign(call(provider, request, facts), request),
				new HttpExchange<>(this, provider.dialect(), keys, toSend, transport));
	}

	/**
	 * Send a request within the limits of a provider, and let the calling thread wait for
	 * the response.
	 * @param <R> type of the response
	 * @param provider the provider
	 * @param request the request
	 * @param transport how it is sent, on the calling thread if it blocks
	 * @return the response, or that of a fallback
	 * @throws IOException if the client throws it
	 * @throws InterruptedException if the thread is interrupted while it waits
	 * @throws IllegalStateException if the thread must not block
	 */
	public <R> R executeBlocking(Provider provider, LlmRequest request,
			Function<WaitingThread, HttpTransport<R>> transport) throws IOException, InterruptedException {
		try {
			return Objects.requireNonNull(WaitingThread.await(this.time.scheduler(),
					(thread) -> execute(provider, request, transport.apply(thread))));
		}
		catch (ExecutionException ex) {
			throw rethrown(Objects.requireNonNull(ex.getCause()));
		}
	}

	private static IOException rethrown(Throwable failure) throws InterruptedException {
		if (failure instanceof IOException io) {
			return io;
		}
		if (failure instanceof InterruptedException interrupted) {
			throw interrupted;
		}
		if (failure instanceof RuntimeException unchecked) {
			throw unchecked;
		}
		if (failure instanceof Error error) {
			throw error;
		}
		return new IOException(failure);
	}

	BodyTap tap(Permit permit, ProviderDialect dialect, ResponseHead head) {
		return new BodyTap(permit, dialect.usageReader(head), this.pipeline,
				this.unread.getOrDefault(permit.scope().provider(), this.unreadElsewhere));
	}

	private boolean asksForUsage(Provider provider, RequestFacts facts) {
		return facts.stream() && !facts.hasStreamOptions() && facts.messages() > 0
				&& provider.dialect().acceptsStreamOptions() && options(provider).requestStreamUsage();
	}

	private LlmCall call(Provider provider, LlmRequest request, RequestFacts facts) {
		String model = (facts.model() != null) ? facts.model() : ModelInPath.of(request.url());
		LlmCall call = LlmRateLimitAttributes.apply(LlmCall.to(provider.name()).withModel(model), request.attributes());
		return call.withTokens(estimate(provider, call.model(), request, facts));
	}

	private TokenEstimate estimate(Provider provider, @Nullable String model, LlmRequest request, RequestFacts facts) {
		TokenEstimate stated = LlmRateLimitAttributes.tokensOf(request.attributes());
		if (stated != null) {
			return stated;
		}
		if (facts.isReadable()) {
			return this.estimator.estimate(provider, model, facts);
		}
		return request.hasBody() ? UNREADABLE_BODY : TokenEstimate.NONE;
	}

}
