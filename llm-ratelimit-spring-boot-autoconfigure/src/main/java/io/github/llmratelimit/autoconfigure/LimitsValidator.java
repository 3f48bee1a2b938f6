package io.github.llmratelimit.autoconfigure;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.autoconfigure.LimitsProperties.Named;
import io.github.llmratelimit.autoconfigure.LimitsProperties.Window;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Finds wrong limits.
 *
 * @param problems takes what is found
 */
record LimitsValidator(Problems problems) {

	private static final String SET_OR_REMOVE = "Set %s to the ceiling the provider grants you, or remove it if there is none.";

	void validate(ConfigurationPropertyName path, LimitsProperties limits) {
		for (Named named : LimitsProperties.NAMED) {
			requirePositive(path.append(named.key()), named.in(limits));
		}
		requirePositive(path.append("max-concurrency"), limits.maxConcurrency());
		validate(path.append("windows"), limits.windows());
	}

	private void requirePositive(ConfigurationPropertyName name, @Nullable Number value) {
		this.problems.requirePositive(name, value, SET_OR_REMOVE.formatted(name));
	}

	private void validate(ConfigurationPropertyName path, List<Window> windows) {
		Set<String> names = new HashSet<>();
		for (int i = 0; i < windows.size(); i++) {
			ConfigurationPropertyName window = path.append("[" + i + "]");
			validate(window, windows.get(i));
			requireUnique(window, windows.get(i), names);
		}
	}

	private void validate(ConfigurationPropertyName path, Window window) {
		this.problems.requireSet(path.append("counts"), window.counts(),
				"Say what the window counts: requests, tokens, input-tokens, output-tokens or units.");
		this.problems.requireSet(path.append("limit"), window.limit(), "Say how much fits in the window.");
		this.problems.requireSet(path.append("per"), window.per(), "Say how long the window is, for example 10s.");
		requirePositive(path.append("limit"), window.limit());
		this.problems.requirePositive(path.append("per"), window.per());
		this.problems.requireNotNegative(path.append("slack"), window.slack());
		if (window.resetsAt() != null) {
			validateReset(path, window, window.resetsAt());
		}
	}

	private void requireUnique(ConfigurationPropertyName path, Window window, Set<String> names) {
		if (window.counts() != null && window.per() != null
				&& !names.add(LimitRules.nameOf(window.counts(), window.per()))) {
			this.problems.report(path.append("per"), ShortDuration.print(window.per()),
					"is the length of another window that counts " + window.counts().label(),
					"Keep the lower of the two limits.");
		}
	}

	private void validateReset(ConfigurationPropertyName path, Window window, String resetsAt) {
		if (window.per() != null && !window.per().equals(Duration.ofDays(1))) {
			this.problems.report(path.append("per"), ShortDuration.print(window.per()),
					"must be 1d for a window that resets at a time of day", "Set per to 1d, or remove resets-at.");
		}
		if (window.algorithm() != null && window.algorithm() != LimitAlgorithm.FIXED_WINDOW) {
			this.problems.report(path.append("algorithm"), window.algorithm().label(),
					"does not reset at a time of day", "Remove algorithm, or set it to fixed-window.");
		}
		try {
			ResetTime.parse(resetsAt);
		}
		catch (DateTimeException ex) {
			this.problems.report(path.append("resets-at"), resetsAt,
					"is not a time of day and a time zone: " + ex.getMessage(),
					"Write a time and a zone in quotes, for example \"00:00 %s\".".formatted(zoneMeantBy(resetsAt)));
		}
	}

	private static String zoneMeantBy(String resetsAt) {
		String written = resetsAt.substring(resetsAt.lastIndexOf(' ') + 1);
		String nearest = Nearest.to(written, ZoneId.getAvailableZoneIds());
		return (nearest != null) ? nearest : "America/Los_Angeles";
	}

}
