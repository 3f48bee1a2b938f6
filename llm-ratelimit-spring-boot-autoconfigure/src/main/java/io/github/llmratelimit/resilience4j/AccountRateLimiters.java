package io.github.llmratelimit.resilience4j;

import java.util.Collection;
import java.util.List;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.time.TimeSource;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;

/**
 * Gives the limits of providers the form of Resilience4j rate limiters: one by the name
 * of each provider, and one named {@code provider/account} for each account of a provider
 * that has several. Thread-safe.
 * <p>
 * They hold no permissions of their own. One acquisition, of any number of permissions,
 * is one request, and its permissions are the tokens and the units it weighs: what it
 * takes is missing for all other calls to the account, and it waits in their line. It
 * ends as soon as it is admitted, so that it takes no place among the calls in flight;
 * and since nobody says how the request went, it counts as {@code CANCELLED}, which keeps
 * all it has taken. A client that is covered itself takes a permit of its own, and should
 * not be called through one of these as well.
 */
public final class AccountRateLimiters {

	private final CallAdmission admission;

	private final List<ProviderPlan> plans;

	private final TimeSource time;

	/**
	 * Create the rate limiters of some providers.
	 * @param admission admits their calls
	 * @param plans the providers
	 * @param time the time
	 */
	public AccountRateLimiters(CallAdmission admission, Collection<ProviderPlan> plans, TimeSource time) {
		this.admission = admission;
		this.plans = List.copyOf(plans);
		this.time = time;
	}

	/**
	 * Put them into a registry, in the place of any that have the same name, whose
	 * timeout, tags and condition for draining they keep. Others wait for as long as the
	 * provider lets calls of normal priority wait.
	 * @param registry the registry
	 */
	public void registerIn(RateLimiterRegistry registry) {
		for (ProviderPlan plan : this.plans) {
			LlmCall call = LlmCall.to(plan.provider());
			register(registry, plan, plan.provider(), call);
			if (plan.accounts().size() > 1) {
				plan.accounts()
					.keySet()
					.forEach((account) -> register(registry, plan, plan.provider() + "/" + account,
							call.withAccount(account)));
			}
		}
	}

	/*
	 * Only an entry can be replaced, and only what is replaced keeps its meters and
	 * listeners.
	 */
	private void register(RateLimiterRegistry registry, ProviderPlan plan, String name, LlmCall call) {
		RateLimiterConfig config = registry.find(name)
			.map(RateLimiter::getRateLimiterConfig)
			.orElseGet(() -> RateLimiterConfig.from(registry.getDefaultConfig())
				.timeoutDuration(plan.queue().maxWaitOf(call))
				.build());
		RateLimiter before = registry.rateLimiter(name, config);
		registry.replace(name, new AccountRateLimiter(name, this.admission, plan, call, this.time,
				describe(config, plan, call), before.getTags()));
	}

	/* Resilience4j knows one limit; the first comes nearest to what it would show. */
	private static RateLimiterConfig describe(RateLimiterConfig config, ProviderPlan plan, LlmCall call) {
		String account = plan.accountsFor(plan.scopeOf(call)).iterator().next();
		LimitPlan limits = plan.accounts().getOrDefault(account, LimitPlan.UNLIMITED);
		return limits.limits().stream().findFirst().map((limit) -> describe(config, limit)).orElse(config);
	}

	private static RateLimiterConfig describe(RateLimiterConfig config, Limit limit) {
		return RateLimiterConfig.from(config)
			.limitForPeriod((int) Math.min(limit.effective(), Integer.MAX_VALUE))
			.limitRefreshPeriod(limit.per())
			.build();
	}

}
