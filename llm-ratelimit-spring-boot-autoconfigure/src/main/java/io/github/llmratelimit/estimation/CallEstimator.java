package io.github.llmratelimit.estimation;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.token.RequestFacts;
import io.github.llmratelimit.token.TokenEstimator;
import org.jspecify.annotations.Nullable;

/**
 * Estimates calls, and learns from how they end: how far the estimates of a model group's
 * prompts are off, and how long its answers are. Thread-safe; never blocks. It learns
 * only if the limiter tells it of the calls.
 */
public final class CallEstimator implements RateLimitListener {

	private final TokenEstimator estimator;

	private final Map<String, ProviderHistory> providers = new HashMap<>();

	/**
	 * Create an estimator that has learned nothing yet.
	 * @param estimator measures prompts
	 * @param plans the providers
	 * @param options how their calls are estimated, by name; where there are none, by
	 * default
	 */
	public CallEstimator(TokenEstimator estimator, Collection<ProviderPlan> plans,
			Map<String, EstimateOptions> options) {
		this.estimator = estimator;
		plans.forEach((plan) -> this.providers.put(plan.provider(),
				new ProviderHistory(plan, options.getOrDefault(plan.provider(), EstimateOptions.DEFAULT))));
	}

	/**
	 * What to reserve for a request.
	 * @param provider who is asked
	 * @param model name of the model, {@code null} if unknown
	 * @param request what is known of the request
	 * @return the estimate
	 */
	public TokenEstimate estimate(Provider provider, @Nullable String model, RequestFacts request) {
		ProviderHistory history = this.providers.getOrDefault(provider.name(), ProviderHistory.NONE);
		UsageHistory learned = history.of(model);
		TokenEstimator own = history.options().estimator();
		long measured = ((own != null) ? own : this.estimator).inputTokens(request);
		long input = Math.round(learned.inputFactor() * measured);
		TokenEstimate expected = new TokenEstimate(input,
				expectedOutput(request, input, learned.output(), history.options()), true);
		Charge reservation = history.options().reservation();
		TokenEstimate reserved = (reservation != null) ? reservation.estimate(request, expected)
				: provider.dialect().estimate(request, expected);
		return reserved.withMeasuredInput(measured);
	}

	private static long expectedOutput(RequestFacts request, long input, @Nullable Long learned,
			EstimateOptions options) {
		long likely = (learned != null) ? learned
				: (long) Math.ceil(options.outputFactor() * input * request.choices());
		Long most = request.maxOutputTokens();
		return (most != null) ? Math.min(likely, most * request.choices()) : likely;
	}

	@Override
	public void onCompleted(Permit permit, CallOutcome outcome, @Nullable TokenUsage usage) {
		LlmCall call = permit.call();
		ProviderHistory history = this.providers.get(call.provider());
		if (outcome == CallOutcome.SUCCESS && usage != null && usage.split() && history != null
				&& history.options().history() > 0) {
			history.madeFor(call.model()).add(call.tokens(), usage);
		}
	}

}
