package io.github.llmratelimit.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.llmratelimit.Priority;

/**
 * Lets calls of a method wait their turn within the limits of a provider: a method that
 * returns a {@code Mono}, a {@code Flux} or a {@code CompletionStage} without blocking a
 * thread, any other by parking the calling one. On a class it means all public methods
 * that have no annotation of their own. May be used as a meta-annotation.
 * <p>
 * A client inside the method that is limited itself, a {@code WebClient} for example,
 * takes the place of the method, so that both are counted as one call.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.TYPE })
public @interface LlmRateLimited {

	/**
	 * Name of a provider below {@code llm.ratelimit.providers}.
	 */
	String provider();

	/**
	 * Name of the model, or a SpEL expression for it that begins with {@code #}, the name
	 * of a parameter for example: {@code #request.model}.
	 */
	String model() default "";

	/**
	 * SpEL expression for the tokens that a call is expected to use, a number for example
	 * or {@code #prompt.length() / 4 + 500}. None by default.
	 */
	String tokens() default "";

	/**
	 * How urgent the calls are.
	 */
	Priority priority() default Priority.NORMAL;

	/**
	 * The longest time that a call may wait in all, {@code 30s} for example. By default
	 * that of its priority.
	 */
	String maxWait() default "";

	/**
	 * Name of a method of the same class that answers calls which are not admitted. It
	 * has the same parameters and the same return type; a last parameter of type
	 * {@code LlmRateLimitException}, or of a supertype, may follow.
	 */
	String fallbackMethod() default "";

}
