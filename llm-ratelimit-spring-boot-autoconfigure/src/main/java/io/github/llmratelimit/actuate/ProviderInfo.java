package io.github.llmratelimit.actuate;

import java.util.List;

/**
 * What is known of a provider apart from its state.
 *
 * @param dialect name of its dialect
 * @param mode what is done with its limits
 * @param integrations the kinds of clients whose calls are covered
 * @param configured whether somebody has configured it; if not, it is shown once it has
 * been called
 */
public record ProviderInfo(String dialect, String mode, List<String> integrations, boolean configured) {

	public ProviderInfo {
		integrations = List.copyOf(integrations);
	}

}
