package io.github.llmratelimit.annotation;

import java.lang.reflect.Method;

/**
 * An annotation that cannot be obeyed. The message names the method, the attribute, its
 * value and what is expected.
 */
@SuppressWarnings("serial")
final class InvalidAnnotationException extends IllegalStateException {

	InvalidAnnotationException(Method method, String attribute, String value, String expected) {
		super("@LlmRateLimited on %s.%s: %s \"%s\" (%s)".formatted(method.getDeclaringClass().getSimpleName(),
				method.getName(), attribute, value, expected));
	}

}
