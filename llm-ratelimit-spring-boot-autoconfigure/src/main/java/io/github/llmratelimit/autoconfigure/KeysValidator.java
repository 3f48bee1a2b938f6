package io.github.llmratelimit.autoconfigure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.autoconfigure.ProviderProperties.Key;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Finds what is wrong with keys, and never shows one.
 */
final class KeysValidator {

	private static final String REMEDY = "Write each key as in {id: a, value: \"${OPENAI_KEY_A}\", account: default}.";

	private final Problems problems;

	KeysValidator(Problems problems) {
		this.problems = problems;
	}

	/**
	 * Check the keys that all providers would inherit.
	 * @param path where they are written
	 * @param keys the keys
	 */
	void validateDefaults(ConfigurationPropertyName path, List<Key> keys) {
		if (!keys.isEmpty()) {
			this.problems.report(path, null, "would be sent to every provider", "Give each provider keys of its own.");
		}
	}

	/**
	 * Check the keys of a provider.
	 * @param path where they are written
	 * @param keys the keys
	 */
	void validate(ConfigurationPropertyName path, List<Key> keys) {
		Set<String> ids = new HashSet<>();
		Map<String, @Nullable String> idsByValue = new HashMap<>();
		for (int i = 0; i < keys.size(); i++) {
			ConfigurationPropertyName key = path.getParent().append("keys[" + i + "]");
			validateId(key.append("id"), keys.get(i), ids);
			validateValue(key.append("value"), keys.get(i), idsByValue);
			validateAccount(key.append("account"), keys.get(i).account());
		}
	}

	private void validateId(ConfigurationPropertyName path, Key key, Set<String> ids) {
		String id = key.id();
		if (id == null || id.isBlank() || id.equals(LlmCall.OWN_KEY)) {
			this.problems.report(path, null, "must be set to a name", REMEDY);
		}
		else if (id.equals(key.value())) {
			this.problems.report(path, null, "must not be the key itself, because logs show it", REMEDY);
		}
		else if (!ids.add(id)) {
			this.problems.report(path, id, "is the id of another key", "Give each key an id of its own.");
		}
	}

	private void validateValue(ConfigurationPropertyName path, Key key, Map<String, @Nullable String> idsByValue) {
		String value = (key.value() != null) ? key.value().strip() : "";
		if (value.isEmpty()) {
			this.problems.report(path, null, "must be set", REMEDY);
		}
		else if (!value.chars().allMatch((character) -> character > ' ' && character < 127)) {
			this.problems.report(path, null, "has blanks or characters that no header may have",
					"Check where the key comes from.");
		}
		else if (idsByValue.containsKey(value)) {
			this.problems.report(path, null, "is the same as that of the key " + idsByValue.get(value),
					"Remove one of the two.");
		}
		idsByValue.putIfAbsent(value, key.id());
	}

	private void validateAccount(ConfigurationPropertyName path, String account) {
		if (account.isBlank() || account.equals(LimitScope.ANY_ACCOUNT)) {
			this.problems.report(path, account, "must be the name of an account", REMEDY);
		}
	}

}
