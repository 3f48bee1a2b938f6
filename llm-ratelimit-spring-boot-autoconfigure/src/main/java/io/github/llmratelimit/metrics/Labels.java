package io.github.llmratelimit.metrics;

import java.util.Locale;

/**
 * Constants as they stand in tags.
 */
final class Labels {

	private Labels() {
	}

	static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
