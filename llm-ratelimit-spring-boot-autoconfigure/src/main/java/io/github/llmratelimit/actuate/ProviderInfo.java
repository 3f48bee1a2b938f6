package io.github.llmratelimit.actuate;

import java.util.List;

/**
 * What is known of a provider apart from its state.
 *
 * @param dialect name of its dialect
 * @param mode what is done with its limits
 * @param integrations the kinds of clients whose calls are covered
 */
public record ProviderInfo(String dialect, String mode, List<String> integrations) {

	public ProviderInfo {
		integrations = List.copyOf(integrations);
	}

}
