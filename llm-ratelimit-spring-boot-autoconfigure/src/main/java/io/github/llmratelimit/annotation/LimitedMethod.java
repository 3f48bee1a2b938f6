package io.github.llmratelimit.annotation;

import java.lang.reflect.Method;
import java.time.Duration;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.Priority;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * What the annotation of a method says.
 *
 * @param method the method
 * @param provider name of the provider
 * @param model name of the model, {@code null} if unknown or an expression
 * @param modelExpression finds the model, or {@code null}
 * @param tokens finds the expected tokens, {@code null} for none
 * @param priority how urgent the calls are
 * @param maxWait longest wait, {@code null} for that of the priority
 * @param fallback answers calls that are not admitted, or {@code null}
 */
record LimitedMethod(Method method, String provider, @Nullable String model, @Nullable Expression modelExpression,
		@Nullable Expression tokens, Priority priority, @Nullable Duration maxWait, @Nullable FallbackMethod fallback) {

	private static final SpelExpressionParser PARSER = new SpelExpressionParser();

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	static LimitedMethod of(LlmRateLimited annotation, String provider, Method method, Class<?> targetClass) {
		String model = annotation.model();
		boolean expression = model.startsWith("#");
		return new LimitedMethod(method, provider, (expression || model.isEmpty()) ? null : model,
				expression ? parse(method, "model", model) : null, parse(method, "tokens", annotation.tokens()),
				annotation.priority(), maxWait(method, annotation.maxWait()),
				FallbackMethod.of(annotation.fallbackMethod(), method, targetClass));
	}

	private static @Nullable Expression parse(Method method, String attribute, String text) {
		try {
			return text.isEmpty() ? null : PARSER.parseExpression(text);
		}
		catch (ParseException ex) {
			throw new InvalidAnnotationException(method, attribute, text, "a SpEL expression; " + ex.getMessage());
		}
	}

	private static @Nullable Duration maxWait(Method method, String text) {
		try {
			return text.isEmpty() ? null : DurationStyle.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAnnotationException(method, "maxWait", text, "a duration such as 30s");
		}
	}

	/**
	 * A call of the method.
	 * @param target the bean
	 * @param arguments the arguments
	 * @return the call that wants to be admitted
	 */
	LlmCall call(Object target, Object[] arguments) {
		LlmCall call = LlmCall.to(this.provider)
			.withPriority(this.priority)
			.withMaxWait(this.maxWait)
			.withModel(this.model);
		if (this.modelExpression == null && this.tokens == null) {
			return call;
		}
		MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(target, this.method, arguments, NAMES);
		if (this.modelExpression != null) {
			call = call.withModel(this.modelExpression.getValue(context, String.class));
		}
		Number tokens = (this.tokens != null) ? this.tokens.getValue(context, Number.class) : null;
		return (tokens != null) ? call.withTokens(Math.max(0, tokens.longValue()), 0) : call;
	}

}
