package io.github.llmratelimit.annotation;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimiter;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;

/**
 * Lets calls of a method wait in the way that its return type asks for. Thread-safe.
 */
final class LlmRateLimitInterceptor implements MethodInterceptor {

	private final Supplier<LlmRateLimiter> limiter;

	private final LimitedMethods methods;

	LlmRateLimitInterceptor(Supplier<LlmRateLimiter> limiter, LimitedMethods methods) {
		this.limiter = limiter;
		this.methods = methods;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = Objects.requireNonNull(invocation.getThis());
		LimitedMethod method = this.methods.find(invocation.getMethod(), AopUtils.getTargetClass(target));
		if (method == null) {
			return invocation.proceed();
		}
		LlmCall call = method.call(target, invocation.getArguments());
		Class<?> type = invocation.getMethod().getReturnType();
		if (type == Mono.class) {
			return mono(invocation, method, call);
		}
		if (type == Flux.class) {
			return flux(invocation, method, call);
		}
		return CompletionStage.class.isAssignableFrom(type) && type.isAssignableFrom(CompletableFuture.class)
				? stage(invocation, method, call) : blocking(invocation, method, call);
	}

	private Mono<?> mono(MethodInvocation invocation, LimitedMethod method, LlmCall call) {
		Mono<?> action = Mono.defer(() -> (Mono<?>) result(() -> again(invocation)));
		Mono<?> limited = this.limiter.get().execute(call, action);
		return (method.fallback() == null) ? limited
				: limited.cast(Object.class)
					.onErrorResume(LlmRateLimitException.class,
							(refusal) -> (Mono<?>) result(() -> fallback(invocation, method, refusal)));
	}

	private Flux<?> flux(MethodInvocation invocation, LimitedMethod method, LlmCall call) {
		Flux<?> action = Flux.defer(() -> (Flux<?>) result(() -> again(invocation)));
		Flux<?> limited = this.limiter.get().execute(call, action);
		return (method.fallback() == null) ? limited
				: limited.cast(Object.class)
					.onErrorResume(LlmRateLimitException.class,
							(refusal) -> (Flux<?>) result(() -> fallback(invocation, method, refusal)));
	}

	private CompletableFuture<?> stage(MethodInvocation invocation, LimitedMethod method, LlmCall call) {
		CompletableFuture<?> limited = this.limiter.get().executeAsync(call, () -> stageOf(() -> again(invocation)));
		if (method.fallback() == null) {
			return limited;
		}
		return limited.<@Nullable Object>thenApply((value) -> value)
			.exceptionallyCompose((failure) -> stageInstead(invocation, method, failure));
	}

	private static CompletionStage<@Nullable Object> stageInstead(MethodInvocation invocation, LimitedMethod method,
			Throwable failure) {
		if (unwrapped(failure) instanceof LlmRateLimitException refusal) {
			return stageOf(() -> fallback(invocation, method, refusal));
		}
		return CompletableFuture.<@Nullable Object>failedFuture(failure);
	}

	private static Throwable unwrapped(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof CompletionException && cause != null) ? cause : failure;
	}

	@SuppressWarnings("unchecked")
	private static CompletionStage<@Nullable Object> stageOf(Action action) {
		return (CompletionStage<@Nullable Object>) result(action);
	}

	private @Nullable Object blocking(MethodInvocation invocation, LimitedMethod method, LlmCall call)
			throws Throwable {
		try {
			return this.limiter.get().executeBlocking(call, () -> value(invocation::proceed));
		}
		catch (LlmRateLimitException refusal) {
			if (method.fallback() == null) {
				throw refusal;
			}
			return fallback(invocation, method, refusal);
		}
		catch (RuntimeException ex) {
			throw Exceptions.unwrap(ex);
		}
	}

	/*
	 * A publisher may be subscribed to more than once, and an invocation proceeds once.
	 */
	private static @Nullable Object again(MethodInvocation invocation) throws Throwable {
		return ((invocation instanceof ProxyMethodInvocation proxied) ? proxied.invocableClone() : invocation)
			.proceed();
	}

	private static @Nullable Object fallback(MethodInvocation invocation, LimitedMethod method,
			LlmRateLimitException refusal) throws Throwable {
		return Objects.requireNonNull(method.fallback())
			.answer(Objects.requireNonNull(invocation.getThis()), invocation.getArguments(), refusal);
	}

	private static Object result(Action action) {
		return Objects.requireNonNull(value(action), "an annotated method has returned null");
	}

	private static @Nullable Object value(Action action) {
		try {
			return action.run();
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw Exceptions.propagate(ex);
		}
	}

	/**
	 * Whatever a method does.
	 */
	@FunctionalInterface
	private interface Action {

		@Nullable Object run() throws Throwable;

	}

}
