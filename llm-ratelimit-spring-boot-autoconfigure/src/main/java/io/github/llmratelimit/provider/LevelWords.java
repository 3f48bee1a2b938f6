package io.github.llmratelimit.provider;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.ThrottleSignal.Level;

/**
 * The words by which a refusal says whose quota is used up.
 *
 * @param level the level
 * @param words the words, in lower case
 */
record LevelWords(Level level, List<String> words) {

	/** The narrowest level first. */
	private static final List<LevelWords> ALL = List.of(
			new LevelWords(Level.MODEL,
					List.of("permodel", "this model", "for model", "per model", "base_model", "base model")),
			new LevelWords(Level.KEY, List.of("key limit", "api key", "this key", "trial key", "api-key")),
			new LevelWords(Level.ACCOUNT, List.of("account", "organization", "project", "workspace", "your team",
					"balance", "credit", "billing", "spend", "账户", "账号", "余额", "欠费")));

	/** The level that a text names, {@code null} if it names none. */
	static @Nullable Level in(String lowerCase) {
		for (LevelWords candidate : ALL) {
			if (candidate.words.stream().anyMatch(lowerCase::contains)) {
				return candidate.level;
			}
		}
		return null;
	}

}
