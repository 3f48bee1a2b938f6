package io.github.llmratelimit.annotation;

import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.llmratelimit.LlmRateLimiter;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.util.StringValueResolver;

/**
 * Advises the methods that are annotated with {@link LlmRateLimited}. Thread-safe.
 */
@SuppressWarnings("serial")
public final class LlmRateLimitAdvisor extends DefaultPointcutAdvisor {

	/**
	 * Outside transactions and caches of the default order: a call waits without a
	 * connection in its hands, also for what turns out to be in a cache. Spring's
	 * {@code @Retryable} is outside of all advice: each of its attempts is a call of its
	 * own.
	 */
	public static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

	/**
	 * Create an advisor.
	 * @param limiter admits the calls
	 * @param isProvider whether there is a provider of this name
	 * @param placeholders resolves placeholders in the names of providers
	 */
	public LlmRateLimitAdvisor(Supplier<LlmRateLimiter> limiter, Predicate<String> isProvider,
			StringValueResolver placeholders) {
		this(limiter, new LimitedMethods(isProvider, placeholders));
	}

	private LlmRateLimitAdvisor(Supplier<LlmRateLimiter> limiter, LimitedMethods methods) {
		super(methods, new LlmRateLimitInterceptor(limiter, methods));
		setOrder(ORDER);
	}

}
