package io.github.llmratelimit.annotation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

import io.github.llmratelimit.LlmRateLimitException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * The method that answers in place of another one.
 *
 * @param method the method
 * @param takesException whether its last parameter is the exception
 */
record FallbackMethod(Method method, boolean takesException) {

	/**
	 * Find it.
	 * @param name its name, empty if there is none
	 * @param limited the method in whose place it answers
	 * @param targetClass the class that has both
	 * @return the method, {@code null} if there is none
	 */
	static @Nullable FallbackMethod of(String name, Method limited, Class<?> targetClass) {
		if (name.isEmpty()) {
			return null;
		}
		Method found = null;
		for (Method candidate : ReflectionUtils.getAllDeclaredMethods(targetClass)) {
			if (candidate.getName().equals(name) && fits(candidate, limited)
					&& (found == null || candidate.getParameterCount() > found.getParameterCount())) {
				found = candidate;
			}
		}
		if (found == null) {
			throw new InvalidAnnotationException(limited, "fallbackMethod", name,
					"a method of the class with the same parameters and return type, or with an "
							+ "LlmRateLimitException as well");
		}
		ReflectionUtils.makeAccessible(found);
		return new FallbackMethod(found, found.getParameterCount() > limited.getParameterCount());
	}

	private static boolean fits(Method candidate, Method limited) {
		Class<?>[] own = limited.getParameterTypes();
		Class<?>[] parameters = candidate.getParameterTypes();
		boolean more = parameters.length == own.length + 1
				&& parameters[own.length].isAssignableFrom(LlmRateLimitException.class);
		return (more || parameters.length == own.length) && Arrays.equals(own, Arrays.copyOf(parameters, own.length))
				&& limited.getReturnType().isAssignableFrom(candidate.getReturnType());
	}

	/** Answer a call that was not admitted. */
	@Nullable Object answer(Object target, @Nullable Object[] arguments, LlmRateLimitException refusal) throws Throwable {
		@Nullable Object[] all = Arrays.copyOf(arguments, arguments.length + (this.takesException ? 1 : 0));
		if (this.takesException) {
			all[arguments.length] = refusal;
		}
		try {
			return this.method.invoke(target, all);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
