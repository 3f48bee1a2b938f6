package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Wrong properties, gathered so that all of them are reported at once. Not thread-safe.
 */
final class Problems {

	private final List<InvalidProperty> found = new ArrayList<>();

	void report(ConfigurationPropertyName name, @Nullable Object value, String reason, String remedy) {
		this.found.add(new InvalidProperty(name, value, reason, remedy));
	}

	void requirePositive(ConfigurationPropertyName name, @Nullable Number value, String remedy) {
		if (value != null && value.longValue() < 1) {
			report(name, value, "must be greater than 0", remedy);
		}
	}

	void requirePositive(ConfigurationPropertyName name, @Nullable Duration value) {
		if (value != null && (value.isNegative() || value.isZero())) {
			report(name, ShortDuration.print(value), "must be longer than 0",
					"Set %s to a duration such as 10s or 5m.".formatted(name));
		}
	}

	void requireShare(ConfigurationPropertyName name, @Nullable Share share, String example) {
		if (share != null && !(share.value() > 0 && share.value() <= 1)) {
			report(name, share, "must be above 0 % and at most 100 %",
					"Set %s to a share such as %s.".formatted(name, example));
		}
	}

	void requireShareBelowAll(ConfigurationPropertyName name, @Nullable Share share) {
		if (share != null && !(share.value() >= 0 && share.value() < 1)) {
			report(name, share, "must be at least 0 % and below 100 %",
					"Set %s to a share such as 10%%, or to 0 for none.".formatted(name));
		}
	}

	void requireNotNegative(ConfigurationPropertyName name, @Nullable Number value, String remedy) {
		if (value != null && value.longValue() < 0) {
			report(name, value, "must not be negative", remedy);
		}
	}

	void requireNotNegative(ConfigurationPropertyName name, @Nullable Duration value) {
		if (value != null && value.isNegative()) {
			report(name, ShortDuration.print(value), "must not be negative",
					"Set %s to a duration such as 10s or 5m, or to 0.".formatted(name));
		}
	}

	void requireSet(ConfigurationPropertyName name, @Nullable Object value, String remedy) {
		if (value == null) {
			report(name, null, "must be set", remedy);
		}
	}

	void throwIfAny() {
		if (!this.found.isEmpty()) {
			throw new InvalidPropertiesException(this.found);
		}
	}

}
