package io.github.llmratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Properties of {@code llm.ratelimit} are wrong, so that the application must not start.
 */
@SuppressWarnings("serial")
final class InvalidPropertiesException extends RuntimeException {

	private final transient List<InvalidProperty> properties;

	InvalidPropertiesException(List<InvalidProperty> properties) {
		super(properties.stream()
			.map((property) -> property.name() + ": " + property.reason())
			.collect(Collectors.joining("; ")));
		this.properties = List.copyOf(properties);
	}

	List<InvalidProperty> properties() {
		return this.properties;
	}

}
