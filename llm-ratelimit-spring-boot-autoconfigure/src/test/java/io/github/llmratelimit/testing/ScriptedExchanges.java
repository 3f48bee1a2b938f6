package io.github.llmratelimit.testing;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.KeyPool;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.CallEstimator;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.KeyRing;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import io.github.resilience4j.retry.RetryRegistry;

/**
 * What sends requests to OpenAI, for clients whose answers are made up. A refusal is
 * followed by the next attempt almost at once. Immutable.
 *
 * @param provider the provider
 * @param limits its limits
 * @param fallbacks who answers what is refused for good
 * @param calls what happened to the calls
 */
public record ScriptedExchanges(Provider provider, LimitPlan limits, List<LlmFallback> fallbacks, RecordedCalls calls) {

	/** A call of it. */
	public static final URI CHAT = URI.create("https://api.openai.com/v1/chat/completions");

	/** What is sent. */
	public static final String QUESTION = """
			{"model":"m","max_tokens":400,"messages":[{"role":"user","content":"Hello"}]}""";

	/** An answer that has used 100 tokens of input and 50 of output. */
	public static final String ANSWER = """
			{"choices":[{"message":{"content":"Hi"}}],"usage":{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150}}""";

	/** One piece of an answer that comes in pieces. */
	public static final String EVENT = """
			data: {"choices":[{"delta":{"content":"Hello"}}]}

			""";

	/** A refusal that is worth another attempt. */
	public static final String RATE_LIMITED = """
			{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}""";

	/** A refusal that is not. */
	public static final String NO_QUOTA = """
			{"error":{"code":"insufficient_quota"}}""";

	private static final Backoff SHORT = new Backoff(Backoff.Strategy.FIXED, Duration.ofMillis(1), 1,
			Duration.ofMillis(1), Backoff.Jitter.NONE);

	public ScriptedExchanges() {
		this("https://api.openai.com");
	}

	public ScriptedExchanges(String baseUrl) {
		this(new Provider("openai", Dialects.builtIn().get("openai"), List.of(URI.create(baseUrl))),
				LimitPlan.UNLIMITED, List.of(), new RecordedCalls());
	}

	public ScriptedExchanges withKey(String value) {
		KeyRing ring = new KeyRing(List.of(new KeyRing.Key("a", value, "default")), true);
		return new ScriptedExchanges(this.provider.withKeys(ring), this.limits, this.fallbacks, this.calls);
	}

	public ScriptedExchanges withLimits(LimitPlan limits) {
		return new ScriptedExchanges(this.provider, limits, this.fallbacks, this.calls);
	}

	public ScriptedExchanges withFallback(LlmFallback fallback) {
		return new ScriptedExchanges(this.provider, this.limits, List.of(fallback), this.calls);
	}

	/**
	 * What sends the requests.
	 * @return the exchanges, with full limits
	 */
	public LlmExchanges create() {
		KeyPool keys = this.provider.keys().isEmpty() ? KeyPool.NONE
				: new KeyPool(Map.of("a", "default"), KeyPool.Selection.LEAST_WAIT, () -> 0);
		TimeSource time = TimeSource.system();
		AdmissionController limiter = new AdmissionController(
				List.of(ProviderPlan.of("openai", this.limits).withKeys(keys)), new LocalLimitStore(time), time,
				List.of(this.calls));
		LlmCallPipeline pipeline = new LlmCallPipeline(limiter, Map.of("openai", new RetryPolicy(4, SHORT, () -> 0)),
				RetryRegistry.ofDefaults(), time, List.of(this.calls), this.fallbacks);
		return new LlmExchanges(new ProviderRegistry(List.of(this.provider)), pipeline,
				new CallEstimator(new HeuristicTokenEstimator(), List.of(), Map.of()), time, Map.of());
	}

}
