package io.github.llmratelimit.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.EvictedLevel;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens to calls, until their level is evicted. Thread-safe.
 */
public final class CallMeters implements RateLimitListener {

	private final MeterRegistry registry;

	private final Map<String, ProviderPlan> plans;

	private final Map<LimitScope, ScopeMeters> scopes = new ConcurrentHashMap<>();

	/**
	 * Create the meters.
	 * @param registry where they are registered
	 * @param plans the providers, which tell the group of a model
	 */
	public CallMeters(MeterRegistry registry, Collection<ProviderPlan> plans) {
		this.registry = registry;
		this.plans = plans.stream().collect(Collectors.toMap(ProviderPlan::provider, Function.identity()));
	}

	@Override
	public void onAdmitted(Permit permit) {
		metersOf(permit.scope()).admitted(permit);
	}

	@Override
	public void onRejected(LlmCall call, LlmRateLimitException exception) {
		metersOf(scopeOf(call)).rejected(exception.reason());
	}

	@Override
	public void onCompleted(Permit permit, CallOutcome outcome, @Nullable TokenUsage usage) {
		metersOf(permit.scope()).completed(permit.call().tokens(), outcome, usage);
	}

	@Override
	public void onThrottled(Permit permit, ThrottleSignal signal, Duration cooldown) {
		metersOf(permit.scope()).throttled(signal);
	}

	@Override
	public void onLevelEvicted(EvictedLevel evicted) {
		ScopeMeters meters = this.scopes.remove(evicted.scope());
		if (meters != null) {
			meters.remove();
		}
	}

	@Override
	public void onRetry(Permit permit, int attempt, Duration backoff) {
		metersOf(permit.scope()).retried();
	}

	@Override
	public void onFallback(LlmCall call, LlmRateLimitException refusal) {
		metersOf(scopeOf(call)).fellBack(refusal.reason());
	}

	private ScopeMeters metersOf(LimitScope scope) {
		ScopeMeters meters = this.scopes.get(scope);
		return (meters != null) ? meters
				: this.scopes.computeIfAbsent(scope, (added) -> new ScopeMeters(this.registry, added));
	}

	/* Never the model itself: its name comes from the request and could be anything. */
	private LimitScope scopeOf(LlmCall call) {
		ProviderPlan plan = this.plans.get(call.provider());
		return (plan != null) ? plan.scopeOf(call)
				: new LimitScope(call.provider(), LimitScope.ANY_ACCOUNT, ProviderPlan.ANY_MODEL);
	}

}
