package io.github.llmratelimit.provider;

import java.time.Duration;

import io.github.llmratelimit.Counted;

/**
 * What most APIs have in common, of models or of anything else. Where nothing is known of
 * a provider, windows slide: that is safe whatever it really runs.
 */
final class GenericDialect {

	static final DialectTable TABLE = announcements(
			chinesePhrases(phrases(codes(paths(DialectTable.named("generic"))))))
		.build();

	private GenericDialect() {
	}

	/** The ways in which servers and gateways announce limits. */
	private static DialectBuilder announcements(DialectBuilder dialect) {
		return dialect.standardFields()
			.announces(LimitHeaders.of(Counted.REQUESTS, Duration.ofMinutes(1), "x-ratelimit", "-requests"),
					LimitHeaders.of(Counted.TOKENS, Duration.ofMinutes(1), "x-ratelimit", "-tokens"),
					LimitHeaders.of(Counted.REQUESTS, null, "x-ratelimit", ""), LimitHeaders.standard());
	}

	private static DialectBuilder paths(DialectBuilder dialect) {
		return dialect.path(BodyField.INPUT_TOKENS, "usage.prompt_tokens", "usage.input_tokens")
			.path(BodyField.OUTPUT_TOKENS, "usage.completion_tokens", "usage.output_tokens")
			.path(BodyField.TOTAL_TOKENS, "usage.total_tokens")
			.path(BodyField.OUTPUT_TEXT, "choices.delta.content", "choices.delta.reasoning_content",
					"choices.delta.reasoning", "choices.delta.refusal", "choices.delta.tool_calls.function.arguments",
					"choices.delta.function_call.arguments", "choices.text", "choices.message.content",
					"output.content.text")
			.path(BodyField.KIND, "type")
			.path(BodyField.ERROR, "error")
			.path(BodyField.CODE, "code")
			.path(BodyField.MESSAGE, "message", "detail", "title")
			.path(BodyField.STATUS, "status", "status_code")
			.path(BodyField.ERROR_CODE, "error.code")
			.path(BodyField.ERROR_TYPE, "error.type")
			.path(BodyField.ERROR_MESSAGE, "error.message")
			.path(BodyField.DETAIL, "reason")
			.path(BodyField.RETRY_DELAY, "retry_after", "error.retry_after")
			.path(BodyField.RESET, "error.resets_in_seconds");
	}

	private static DialectBuilder codes(DialectBuilder dialect) {
		return dialect
			.codes(Meaning.THROTTLED, "rate_limit_exceeded", "rate_limit_error", "rate_limit", "rate_limit_reached",
					"rate_limited", "too_many_requests")
			.codes(Meaning.REQUESTS, "requests")
			.codes(Meaning.TOKENS, "tokens")
			.codes(Meaning.INPUT_TOKENS, "input_tokens")
			.codes(Meaning.OUTPUT_TOKENS, "output_tokens")
			.codes(Meaning.QUOTA, "insufficient_quota", "billing_not_active", "billing_hard_limit_reached",
					"usage_limit_reached", "usage_not_included", "insufficient_balance")
			.codes(Meaning.OVERLOADED, "server_is_overloaded", "service_unavailable_error", "slow_down",
					"temporary-reduced-capacity", "overloaded_error", "engine_overloaded", "overloaded")
			.codes(Meaning.BANNED, "account_deactivated", "access_terminated")
			.codes(Meaning.REJECTED, "context_length_exceeded");
	}

	private static DialectBuilder phrases(DialectBuilder dialect) {
		return dialect.phrases(Meaning.TOO_LARGE, "request too large")
			.phrases(Meaning.CONCURRENCY, "concurrency limit", "concurrent request", "too many concurrent",
					"max concurrency", "maximum concurrency", "parallel request", "simultaneous request")
			.phrases(Meaning.BANNED, "account has been deactivated", "account has been banned", "access was terminated")
			.phrases(Meaning.QUOTA, "exceeded your current quota", "insufficient quota", "insufficient balance",
					"insufficient credit", "insufficient fund", "out of credits", "not enough credits",
					"credit balance", "account is not active", "billing hard limit", "usage limit", "spend limit",
					"spending limit", "daily limit", "weekly limit", "monthly limit", "daily quota", "weekly quota",
					"monthly quota", "daily rate limit", "weekly rate limit", "monthly rate limit",
					"monthly_request_count", "call volume quota")
			.phrases(Meaning.OVERLOADED, "overloaded", "high demand", "at capacity", "no capacity", "capacity exceeded",
					"insufficient capacity", "server busy", "server is busy", "high traffic", "model_capacity",
					"first token before the given deadline")
			.phrases(Meaning.INPUT_TOKENS, "input tokens per min")
			.phrases(Meaning.OUTPUT_TOKENS, "output tokens per min")
			.phrases(Meaning.TOKENS, "tokens per", "(tpm)", "(tpd)", "tpm limit", "token rate limit",
					"tokens rate limit")
			.phrases(Meaning.REQUESTS, "requests per", "(rpm)", "(rpd)", "rpm limit", "call rate limit",
					"request rate limit", "requests rate limit", "queries per", "calls per")
			.phrases(Meaning.THROTTLED, "rate limit", "rate-limit", "rate_limit", "too many requests");
	}

	/** What providers and relays say in Chinese. */
	private static DialectBuilder chinesePhrases(DialectBuilder dialect) {
		return dialect.phrases(Meaning.CONCURRENCY, "并发")
			.phrases(Meaning.BANNED, "已被锁定", "已被封禁", "已被禁用")
			.phrases(Meaning.QUOTA, "余额不足", "余额已", "欠费", "充值", "额度不足", "额度已", "配额不足", "资源包", "使用上限", "套餐已到期", "今日调用次数")
			.phrases(Meaning.OVERLOADED, "访问量过大", "已饱和", "繁忙", "过载")
			.phrases(Meaning.TOKENS, "tpm", "token数")
			.phrases(Meaning.REQUESTS, "频率", "每分钟请求", "每秒请求")
			.phrases(Meaning.THROTTLED, "限流", "速率限制", "请求过多", "请求过于频繁");
	}

}
