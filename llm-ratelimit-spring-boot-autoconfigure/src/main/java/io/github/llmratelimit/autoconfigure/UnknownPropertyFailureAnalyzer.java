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
			if (unknown == null) {
				return null;
			}
			descriptions.add(describe(property, unknown));
			actions.add(remedy(unknown));
		}
		return new FailureAnalysis(
				"The LLM rate limits are misconfigured:%n%n%s".formatted(String.join("%n".formatted(), descriptions)),
				String.join("%n".formatted(), actions.stream().distinct().toList()), cause);
	}

	private static PropertyShape.@Nullable Unknown locate(ConfigurationPropertyName name) {
		return PREFIX.isAncestorOf(name) ? PropertyShape.locate(name) : null;
	}

	private static String describe(ConfigurationProperty property, PropertyShape.Unknown unknown) {
		return "    Property: %s%n    Value: \"%s\"%n    Origin: %s%n    Reason: \"%s\" is not a key of %s%n"
			.formatted(property.getName(), printable(property), property.getOrigin(), unknown.key(), unknown.parent());
	}

	/* Somebody may have tried to configure a key: limits, times and names are short. */
	private static String printable(ConfigurationProperty property) {
		String value = String.valueOf(property.getValue());
		boolean secret = value.length() > LONGEST_PRINTED || SECRET.matcher(property.getName().toString()).find();
		return secret ? "******" : value;
	}

	private static String remedy(PropertyShape.Unknown unknown) {
		if (unknown.known().isEmpty()) {
			return "Remove the property: %s is a single value.".formatted(unknown.parent());
		}
		String nearest = Nearest.to(unknown.key(), unknown.known());
		String keys = "The keys of %s are: %s.".formatted(unknown.parent(), String.join(", ", unknown.known()));
		return (nearest != null) ? "Did you mean %s.%s? %s".formatted(unknown.parent(), nearest, keys) : keys;
	}

}
