package io.github.llmratelimit.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.StringValueResolver;

/**
 * The annotated methods. They are read when their bean is created, so that what is wrong
 * with an annotation stops the start. Thread-safe.
 */
final class LimitedMethods extends StaticMethodMatcherPointcut {

	private final Predicate<String> isProvider;

	private final StringValueResolver placeholders;

	private final Map<MethodClassKey, LimitedMethod> methods = new ConcurrentHashMap<>();

	LimitedMethods(Predicate<String> isProvider, StringValueResolver placeholders) {
		this.isProvider = isProvider;
		this.placeholders = placeholders;
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return find(method, targetClass) != null;
	}

	@Nullable LimitedMethod find(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		LlmRateLimited annotation = annotationOf(specific, targetClass);
		return (annotation != null) ? this.methods.computeIfAbsent(new MethodClassKey(specific, targetClass),
				(key) -> read(annotation, specific, targetClass)) : null;
	}

	private static @Nullable LlmRateLimited annotationOf(Method method, Class<?> targetClass) {
		LlmRateLimited own = AnnotatedElementUtils.findMergedAnnotation(method, LlmRateLimited.class);
		if (own != null || !Modifier.isPublic(method.getModifiers()) || method.getDeclaringClass() == Object.class) {
			return own;
		}
		return AnnotatedElementUtils.findMergedAnnotation(targetClass, LlmRateLimited.class);
	}

	private LimitedMethod read(LlmRateLimited annotation, Method method, Class<?> targetClass) {
		String provider = this.placeholders.resolveStringValue(annotation.provider());
		if (provider == null || !this.isProvider.test(provider)) {
			throw new InvalidAnnotationException(method, "provider", annotation.provider(),
					"a provider below llm.ratelimit.providers, or one that is known by its dialect");
		}
		return LimitedMethod.of(annotation, provider, method, targetClass);
	}

}
