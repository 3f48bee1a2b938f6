package io.github.llmratelimit.autoconfigure;

import java.time.Duration;

import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.estimation.EstimateOptions;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.retry.RetryPolicy;

/**
 * All settings of one provider, merged and ready for use.
 *
 * @param provider the provider and its dialect
 * @param plan when a call may go
 * @param retryPolicy what follows from a refusal
 * @param estimates how its calls are estimated
 * @param permitTimeout how long a response that nobody reads keeps its permit
 * @param requestStreamUsage whether streams are asked for their usage where the dialect
 * allows it
 * @param mode whether the limits are enforced
 */
public record ProviderSettings(Provider provider, ProviderPlan plan, RetryPolicy retryPolicy, EstimateOptions estimates,
		Duration permitTimeout, boolean requestStreamUsage, Mode mode) {

	/**
	 * The name of the provider.
	 * @return the name under {@code llm.ratelimit.providers}
	 */
	public String name() {
		return this.provider.name();
	}

	public ProviderSettings withProvider(Provider provider) {
		return new ProviderSettings(provider, this.plan, this.retryPolicy, this.estimates, this.permitTimeout,
				this.requestStreamUsage, this.mode);
	}

	public ProviderSettings withPlan(ProviderPlan plan) {
		return new ProviderSettings(this.provider, plan, this.retryPolicy, this.estimates, this.permitTimeout,
				this.requestStreamUsage, this.mode);
	}

	public ProviderSettings withRetryPolicy(RetryPolicy retryPolicy) {
		return new ProviderSettings(this.provider, this.plan, retryPolicy, this.estimates, this.permitTimeout,
				this.requestStreamUsage, this.mode);
	}

	public ProviderSettings withEstimates(EstimateOptions estimates) {
		return new ProviderSettings(this.provider, this.plan, this.retryPolicy, estimates, this.permitTimeout,
				this.requestStreamUsage, this.mode);
	}

	public ProviderSettings withPermitTimeout(Duration permitTimeout) {
		return new ProviderSettings(this.provider, this.plan, this.retryPolicy, this.estimates, permitTimeout,
				this.requestStreamUsage, this.mode);
	}

	public ProviderSettings withRequestStreamUsage(boolean requestStreamUsage) {
		return new ProviderSettings(this.provider, this.plan, this.retryPolicy, this.estimates, this.permitTimeout,
				requestStreamUsage, this.mode);
	}

	public ProviderSettings withMode(Mode mode) {
		return new ProviderSettings(this.provider, this.plan, this.retryPolicy, this.estimates, this.permitTimeout,
				this.requestStreamUsage, mode);
	}

	/**
	 * What is done with the limits of a provider.
	 */
	public enum Mode {

		/** Calls wait until they fit. */
		ENFORCE,

		/** Everything is decided, counted and shown, but no call waits or is retried. */
		SHADOW,

		/** Calls pass untouched, as if the provider were not configured. */
		OFF

	}

}
