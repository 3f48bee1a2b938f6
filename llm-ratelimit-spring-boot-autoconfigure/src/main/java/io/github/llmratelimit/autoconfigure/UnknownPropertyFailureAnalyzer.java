package io.github.llmratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Says which key is unknown and which one was probably meant. Comes before Spring Boot's
 * own analyzer, which knows neither.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(LlmRateLimitProperties.PREFIX);

	private static final Pattern SECRET = Pattern.compile("key|secret|password|credential|alerts");

	private static final int LONGEST_PRINTED = 20;

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		List<String> descriptions = new ArrayList<>();
		List<String> actions = new ArrayList<>();
		for (ConfigurationProperty property : cause.getUnboundProperties()) {
			PropertyShape.Unknown unknown = locate(property.getName());
			if (unknown == null && !(isOurs(property.getName()) && mayBeSecret(property))) {
				return null;
			}
			descriptions.add(describe(property, reason(unknown)));
			actions.add(remedy(unknown));
		}
		return new FailureAnalysis(
				"The LLM rate limits are misconfigured:%n%n%s".formatted(String.join("%n".formatted(), descriptions)),
				String.join("%n".formatted(), actions.stream().distinct().toList()), cause);
	}

	private static PropertyShape.@Nullable Unknown locate(ConfigurationPropertyName name) {
		return isOurs(name) ? PropertyShape.locate(name) : null;
	}

	private static boolean isOurs(ConfigurationPropertyName name) {
		return PREFIX.isAncestorOf(name);
	}

	private static String describe(ConfigurationProperty property, String reason) {
		return "    Property: %s%n    Value: \"%s\"%n    Origin: %s%n    Reason: %s%n".formatted(property.getName(),
				mayBeSecret(property) ? "******" : property.getValue(), property.getOrigin(), reason);
	}

	private static String reason(PropertyShape.@Nullable Unknown unknown) {
		return (unknown != null) ? "\"%s\" is not a key of %s".formatted(unknown.key(), unknown.parent())
				: "it belongs to no element of its list";
	}

	/* Somebody may have tried to configure a key: limits, times and names are short. */
	private static boolean mayBeSecret(ConfigurationProperty property) {
		return String.valueOf(property.getValue()).length() > LONGEST_PRINTED
				|| SECRET.matcher(property.getName().toString()).find();
	}

	private static String remedy(PropertyShape.@Nullable Unknown unknown) {
		if (unknown == null) {
			return "Number the elements of lists from 0, without a gap.";
		}
		if (unknown.known().isEmpty()) {
			return "Remove the property: %s is a single value or a list.".formatted(unknown.parent());
		}
		String nearest = Nearest.to(unknown.key(), unknown.known());
		String keys = "The keys of %s are: %s.".formatted(unknown.parent(), String.join(", ", unknown.known()));
		return (nearest != null) ? "Did you mean %s.%s? %s".formatted(unknown.parent(), nearest, keys) : keys;
	}

}
