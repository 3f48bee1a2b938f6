package io.github.llmratelimit.webclient;

import java.util.Map;
import java.util.stream.Collectors;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.ModelInPath;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.token.RequestFacts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * Lets requests to known providers wait their turn; requests to other hosts pass
 * untouched. Thread-safe; never blocks. Filters added after this one run inside it, so a
 * filter that retries on its own should be added before.
 */
public final class LlmRateLimitFilter implements ExchangeFilterFunction {

	/** What a body counts as that cannot be read: not JSON, streamed, multipart, huge. */
	static final TokenEstimate UNREADABLE_BODY = TokenEstimate.of(1000, 0);

	private final ProviderRegistry providers;

	private final LlmCallPipeline pipeline;

	private final CallEstimator estimator;

	private final Map<String, ExchangeOptions> options;

	private final Map<String, UnreadBodies> unread;

	private final UnreadBodies unreadElsewhere;

	private final ExchangeStrategies codecs;

	/**
	 * Create a filter that writes requests with the default codecs.
	 * @param providers which URL means which provider
	 * @param pipeline the way of a call
	 * @param estimator estimates the calls
	 * @param time the time
	 * @param options how exchanges are handled, by provider
	 */
	public LlmRateLimitFilter(ProviderRegistry providers, LlmCallPipeline pipeline, CallEstimator estimator,
			TimeSource time, Map<String, ExchangeOptions> options) {
		this.providers = providers;
		this.pipeline = pipeline;
		this.estimator = estimator;
		this.options = Map.copyOf(options);
		this.unread = options.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
					(entry) -> new UnreadBodies(entry.getValue().permitTimeout(), time)));
		this.unreadElsewhere = new UnreadBodies(ExchangeOptions.DEFAULT.permitTimeout(), time);
		this.codecs = new BuilderCodecs();
	}

	private LlmRateLimitFilter(LlmRateLimitFilter filter, ExchangeStrategies codecs) {
		this.providers = filter.providers;
		this.pipeline = filter.pipeline;
		this.estimator = filter.estimator;
		this.options = filter.options;
		this.unread = filter.unread;
		this.unreadElsewhere = filter.unreadElsewhere;
		this.codecs = codecs;
	}

	LlmRateLimitFilter with(ExchangeStrategies codecs) {
		return new LlmRateLimitFilter(this, codecs);
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		Provider provider = providerOf(request);
		if (provider == null || !provider.limited()) {
			return next.exchange(request);
		}
		return EncodedRequest.of(request, this.codecs).flatMap((encoded) -> execute(provider, encoded, next));
	}

	private @Nullable Provider providerOf(ClientRequest request) {
		String name = LlmRateLimitAttributes.providerOf(request.attributes());
		if (name == null) {
			return this.providers.find(request.url());
		}
		Provider provider = this.providers.named(name);
		if (provider == null) {
			throw new IllegalArgumentException("provider: " + name + " (expected: a configured provider)");
		}
		return provider;
	}

	private Mono<ClientResponse> execute(Provider provider, EncodedRequest request, ExchangeFunction next) {
		RequestFacts facts = request.facts();
		EncodedRequest toSend = asksForUsage(provider, facts) ? request.withStreamUsage() : request;
		RequestKeys keys = new RequestKeys(provider);
		Substitute substitute = new Substitute(request, this.codecs, (other) -> filter(other, next));
		return this.pipeline.execute(keys.assign(call(provider, request, facts), request),
				new WebClientExchange(provider.dialect(), toSend, keys, next, this.pipeline,
						this.unread.getOrDefault(provider.name(), this.unreadElsewhere), substitute));
	}

	private boolean asksForUsage(Provider provider, RequestFacts facts) {
		return facts.stream() && !facts.hasStreamOptions() && facts.messages() > 0
				&& provider.dialect().acceptsStreamOptions()
				&& this.options.getOrDefault(provider.name(), ExchangeOptions.DEFAULT).requestStreamUsage();
	}

	private LlmCall call(Provider provider, EncodedRequest request, RequestFacts facts) {
		String model = (facts.model() != null) ? facts.model() : ModelInPath.of(request.url());
		LlmCall call = LlmRateLimitAttributes.apply(LlmCall.to(provider.name()).withModel(model), request.attributes());
		return call.withTokens(estimate(provider, call.model(), request, facts));
	}

	private TokenEstimate estimate(Provider provider, @Nullable String model, EncodedRequest request,
			RequestFacts facts) {
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
