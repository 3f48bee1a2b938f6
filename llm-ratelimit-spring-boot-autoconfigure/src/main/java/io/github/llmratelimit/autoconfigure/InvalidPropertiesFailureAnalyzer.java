package io.github.llmratelimit.autoconfigure;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

/**
 * Says which property is wrong, where it stands, and what to do about it.
 */
final class InvalidPropertiesFailureAnalyzer extends AbstractFailureAnalyzer<InvalidPropertiesException> {

	private final Environment environment;

	InvalidPropertiesFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidPropertiesException cause) {
		String description = cause.properties()
			.stream()
			.map(this::describe)
			.collect(Collectors.joining("%n".formatted()));
		String action = cause.properties()
			.stream()
			.map(InvalidProperty::remedy)
			.distinct()
			.collect(Collectors.joining("%n".formatted()));
		return new FailureAnalysis("The LLM rate limits are misconfigured:%n%n%s".formatted(description), action,
				cause);
	}

	private String describe(InvalidProperty property) {
		String text = "    Property: %s%n".formatted(property.name());
		if (property.value() != null) {
			text += "    Value: \"%s\"%n".formatted(property.value());
		}
		Origin origin = originOf(property.name());
		if (origin != null) {
			text += "    Origin: %s%n".formatted(origin);
		}
		return text + "    Reason: %s%n".formatted(property.reason());
	}

	private @Nullable Origin originOf(ConfigurationPropertyName name) {
		return StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.map((source) -> source.getConfigurationProperty(name))
			.filter(Objects::nonNull)
			.findFirst()
			.map(ConfigurationProperty::getOrigin)
			.orElse(null);
	}

}
