package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.github.llmratelimit.AdaptiveRules;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.limit.BlockedBy;
import io.github.llmratelimit.limit.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Why a provider's queue does not admit a call, in words that say what to change.
 */
final class Rejections {

	private volatile ProviderPlan plan;

	Rejections(ProviderPlan plan) {
		this.plan = plan;
	}

	/** The limits have changed. */
	void follow(ProviderPlan plan) {
		this.plan = plan;
	}

	/**
	 * The least time until a new waiter can go, from what waits before it alone.
	 * @param waiter the waiter
	 * @param queue what waits already
	 * @return nanoseconds; 0 if several accounts may serve it or limits may grow
	 */
	long nanosToAdmit(Waiter waiter, WaitingQueue queue) {
		LimitScope scope = waiter.scope();
		AdaptiveRules adaptive = this.plan.adaptive();
		boolean mayGrow = adaptive != null && adaptive.aboveConfigured();
		if (scope.isAnyAccount() || waiter.call().turn() != null || mayGrow) {
			return 0;
		}
		long nanos = 0;
		for (Limit limit : limitsOf(scope.account(), scope.modelGroup()).values()) {
			long own = limit.counts().of(waiter.leastTokens(), waiter.call().units());
			if (own > 0) {
				long total = queue.ahead(waiter, limit.counts()) + Math.min(own, limit.effective());
				nanos = Math.max(nanos, limit.nanosToAdmit(total));
			}
		}
		return nanos;
	}

	/**
	 * Why a waiter can never go, however long it waits.
	 * @param waiter the waiter
	 * @return the reason, {@code null} if it fits at least one account
	 */
	@Nullable LlmRateLimitException neverFits(Waiter waiter) {
		LimitScope scope = waiter.scope();
		LlmRateLimitException unfit = null;
		for (String account : this.plan.accountsFor(scope)) {
			unfit = neverFits(waiter.call(), account, scope.modelGroup());
			if (unfit == null) {
				return null;
			}
		}
		return unfit;
	}

	private @Nullable LlmRateLimitException neverFits(LlmCall call, String account, String modelGroup) {
		for (Map.Entry<BlockedBy, Limit> entry : limitsOf(account, modelGroup).entrySet()) {
			if (!entry.getValue().canHold(call)) {
				return neverFits(call, entry.getKey(), entry.getValue().amount());
			}
		}
		return null;
	}

	private Map<BlockedBy, Limit> limitsOf(String account, String modelGroup) {
		Map<BlockedBy, Limit> limits = new LinkedHashMap<>();
		for (Limit limit : this.plan.accounts().getOrDefault(account, LimitPlan.UNLIMITED).limits()) {
			limits.put(new BlockedBy(account, ProviderPlan.ANY_MODEL, limit.name(), limit.counts()), limit);
		}
		for (ModelGroup group : this.plan.models()) {
			if (group.name().equals(modelGroup)) {
				group.plan()
					.limits()
					.forEach((limit) -> limits.put(new BlockedBy(account, modelGroup, limit.name(), limit.counts()),
							limit));
			}
		}
		return limits;
	}

	/**
	 * Why a waiter would fail by a verdict.
	 * @return the reason, {@code null} if it would be admitted in time
	 */
	@Nullable LlmRateLimitException refusalOf(Waiter waiter, Verdict verdict) {
		return switch (verdict.kind()) {
			case NEVER_FITS -> neverFits(waiter.call(), verdict.blockedBy(), verdict.ceiling());
			case OUT_OF_SERVICE -> outOfService(verdict);
			case WAIT -> (verdict.waitNanos() > waiter.maxWaitNanos())
					? waitTooLong(waiter, verdict.waitNanos(), verdict.blockedBy()) : null;
			default -> null;
		};
	}

	LlmRateLimitException queueFull(Waiter waiter) {
		return exception(Reason.QUEUE_FULL, null,
				"%s: %d calls wait already; raise queue.capacity or send fewer calls at once"
					.formatted(this.plan.provider(), this.plan.queue().capacity()));
	}

	LlmRateLimitException waitTooLong(Waiter waiter, long nanos, @Nullable BlockedBy blockedBy) {
		Duration retryAfter = (nanos > 0) ? Duration.ofNanos(nanos) : null;
		String cause = (blockedBy != null) ? " because of " + describe(blockedBy) : "";
		String needed = (retryAfter != null) ? "would have had to wait at least " + seconds(retryAfter) + cause
				: "is still not admitted after its longest wait";
		boolean paused = blockedBy != null && blockedBy.limit().equals(BlockedBy.PAUSE);
		return exception(paused ? Reason.PAUSED : Reason.WAIT_TOO_LONG, retryAfter,
				"%s: a call of priority %s %s; allow more than %s by queue.max-wait or the call's own max-wait"
					.formatted(this.plan.provider(), waiter.call().priority(), needed,
							seconds(Duration.ofNanos(waiter.maxWaitNanos()))));
	}

	LlmRateLimitException outOfService(Verdict verdict) {
		BlockedBy blockedBy = Objects.requireNonNull(verdict.blockedBy());
		Duration retryAfter = Duration.ofNanos(verdict.waitNanos());
		return switch (blockedBy.limit()) {
			case BlockedBy.BAN ->
				outOfService(Reason.BANNED, "the provider has locked " + level(blockedBy), retryAfter);
			case BlockedBy.KEY ->
				outOfService(Reason.NO_KEY, "the provider accepts no key of " + level(blockedBy), retryAfter);
			case BlockedBy.KEY_QUOTA -> outOfService(Reason.QUOTA_EXHAUSTED,
					"the quota of the keys of " + level(blockedBy) + " is used up", retryAfter);
			default -> outOfService(Reason.QUOTA_EXHAUSTED,
					"the quota of " + level(blockedBy) + " is used up or unpaid", retryAfter);
		};
	}

	private LlmRateLimitException outOfService(Reason reason, String what, Duration retryAfter) {
		return exception(reason, retryAfter,
				"%s: %s; it is tried again in %s".formatted(this.plan.provider(), what, seconds(retryAfter)));
	}

	LlmRateLimitException neverFits(LlmCall call, @Nullable BlockedBy blockedBy, long ceiling) {
		String limit = (blockedBy != null) ? describe(blockedBy) : "a limit";
		boolean units = blockedBy != null && blockedBy.counts() == Counted.UNITS;
		String size = units ? call.units() + " units"
				: "%d input and %d output tokens".formatted(call.tokens().input(), call.tokens().output());
		String remedy = units ? "ask for less" : "shorten the prompt, lower max_tokens";
		return exception(Reason.NEVER_FITS, null, "%s: a call of %s can never fit %s of %d; %s or raise the limit"
			.formatted(this.plan.provider(), size, limit, ceiling, remedy));
	}

	private LlmRateLimitException exception(Reason reason, @Nullable Duration retryAfter, String message) {
		return new LlmRateLimitException(reason, this.plan.provider(), message, retryAfter, 0);
	}

	private static String describe(BlockedBy blockedBy) {
		return blockedBy.limit() + " of " + level(blockedBy);
	}

	private static String level(BlockedBy blockedBy) {
		return blockedBy.isAccountWide() ? "account " + blockedBy.account()
				: "model group " + blockedBy.modelGroup() + " of account " + blockedBy.account();
	}

	private static String seconds(Duration duration) {
		return "%.1f s".formatted(duration.toMillis() / 1000.0);
	}

}
