package io.github.llmratelimit.annotation;

import java.lang.reflect.Method;

/**
 * An annotation that cannot be obeyed. The message names the method, the attribute, its
 * value and what is expected.
 */
@SuppressWarnings("serial")
final class InvalidAnnotationException extends IllegalStateException {

	private final String annotated;

	private final String attribute;

	private final String value;

	private final String remedy;

	InvalidAnnotationException(Method method, String attribute, String value, String remedy) {
		super("@LlmRateLimited on %s.%s: %s \"%s\" (expected: %s)".formatted(method.getDeclaringClass().getSimpleName(),
				method.getName(), attribute, value, remedy));
		this.annotated = method.toGenericString();
		this.attribute = attribute;
		this.value = value;
		this.remedy = remedy;
	}

	String annotated() {
		return this.annotated;
	}

	String attribute() {
		return this.attribute;
	}

	String value() {
		return this.value;
	}

	String remedy() {
		return this.remedy;
	}

}
