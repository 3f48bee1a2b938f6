package io.github.llmratelimit.store;

import io.github.llmratelimit.ProviderPlan;

/**
 * Where limits live: in this process, or shared by several. Implementations MUST be
 * thread-safe.
 */
public interface LimitStore {

	/**
	 * Open the limits of a provider, once for each provider, before the first claim.
	 * @param plan the plan of the provider
	 * @return its limits
	 */
	ProviderLimits open(ProviderPlan plan);

}
