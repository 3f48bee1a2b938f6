package io.github.llmratelimit;

import java.util.Map;

/**
 * One provider at one moment.
 *
 * @param provider name of the provider
 * @param waiting number of waiting calls, by priority
 * @param accounts the accounts, by name
 */
public record ProviderSnapshot(String provider, Map<Priority, Integer> waiting, Map<String, LevelSnapshot> accounts) {

}
