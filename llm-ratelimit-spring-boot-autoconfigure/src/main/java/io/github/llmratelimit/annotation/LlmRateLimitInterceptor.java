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
import org.reactivestreams.Publisher;
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
			return flux(invocation, method, call).singleOrEmpty();
		}
		if (type == Flux.class) {
			return flux(invocation, method, call);
		}
		return CompletionStage.class.isAssignableFrom(type) && type.isAssignableFrom(CompletableFuture.class)
				? stage(invocation, method, call) : blocking(invocation, method, call);
	}

	/* Who has a fallback wants to know of every refusal. */
	private LlmRateLimiter limiter(LimitedMethod method) {
		LlmRateLimiter limiter = this.limiter.get();
		return (method.fallback() != null) ? limiter.throwingRefusals() : limiter;
	}

	private Flux<?> flux(MethodInvocation invocation, LimitedMethod method, LlmCall call) {
		Flux<Object> limited = limiter(method).execute(call, fluxOf(() -> again(invocation)));
		return (method.fallback() == null) ? limited : limited.onErrorResume(LlmRateLimitException.class,
				(refusal) -> fluxOf(() -> fallback(invocation, method, refusal)));
	}

	private static Flux<Object> fluxOf(Action action) {
		return Flux.defer(() -> (Publisher<?>) result(action)).cast(Object.class);
	}

	private CompletableFuture<?> stage(MethodInvocation invocation, LimitedMethod method, LlmCall call) {
		CompletableFuture<?> limited = limiter(method).executeAsync(call, () -> stageOf(() -> again(invocation)));
		return (method.fallback() == null) ? limited : limited.<@Nullable Object>thenApply((value) -> value)
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
			return limiter(method).executeBlocking(call, () -> value(() -> again(invocation)));
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

	/* A method may be called for several attempts, and an invocation proceeds once. */
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
