package io.github.llmratelimit.simulator.dialect;

import io.github.llmratelimit.simulator.dialect.Refusal.Cause;

/**
 * The codes by which DashScope refuses: the same limits go by other names in compatible
 * mode. A request that is too large is told the same as one that comes too early.
 *
 * @param status HTTP status
 * @param ofItsOwn the code in DashScope's own form
 * @param compatible the code in OpenAI's form
 * @param text what it says
 */
record DashScopeCode(int status, String ofItsOwn, String compatible, String text) {

	private static final DashScopeCode REQUESTS = new DashScopeCode(429, "Throttling.RateQuota", "limit_requests",
			"Requests rate limit exceeded, please try again later.");

	private static final DashScopeCode TOKENS = new DashScopeCode(429, "Throttling.AllocationQuota",
			"insufficient_quota", "Allocated quota exceeded, please increase your quota limit.");

	private static final DashScopeCode CONCURRENCY = new DashScopeCode(429, "Throttling.Concurrency",
			"limit_concurrency", "Too many requests in progress, please try again later.");

	private static final DashScopeCode BANNED = new DashScopeCode(403, "AccessDenied", "access_denied",
			"Access denied, this account is blocked.");

	static DashScopeCode of(Cause cause) {
		return switch (cause) {
			case REQUESTS -> REQUESTS;
			case TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, TOO_LARGE -> TOKENS;
			case CONCURRENCY -> CONCURRENCY;
			case BANNED -> BANNED;
		};
	}

}
