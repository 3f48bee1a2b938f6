package io.github.llmratelimit.autoconfigure;

/**
 * Changes the settings of providers after the properties have been read and before they
 * are used. Beans of this type are called in their order, each for every provider.
 */
@FunctionalInterface
public interface LlmRateLimitProviderCustomizer {

	/**
	 * Change the settings of a provider.
	 * @param settings what the properties and earlier customizers say
	 * @return the settings to use, the same if nothing changes
	 */
	ProviderSettings customize(ProviderSettings settings);

}
