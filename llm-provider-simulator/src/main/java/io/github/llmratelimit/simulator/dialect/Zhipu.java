package io.github.llmratelimit.simulator.dialect;

import java.time.Instant;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * OpenAI's form as Zhipu speaks it: no headers, no hint, numbers as codes, and usage in
 * the last event of every stream.
 */
final class Zhipu extends OpenAi {

	Zhipu() {
		super(".*/api/paas/v4");
	}

	@Override
	ObjectNode lastDelta(Answer answer) {
		return super.lastDelta(answer).set("usage", usage(answer));
	}

	@Override
	public Map<String, String> levels(Levels levels, Instant now) {
		return Map.of();
	}

	@Override
	public Map<String, String> hint(long waitNanos) {
		return Map.of();
	}

	@Override
	public Problem refusal(Refusal refusal, String model) {
		return switch (refusal.cause()) {
			case REQUESTS, TOKENS, INPUT_TOKENS, OUTPUT_TOKENS -> error(429, "1302", "您的账户已达到速率限制，请您控制请求频率");
			case TOO_LARGE -> error(400, "1261", "Prompt 超长");
			case CONCURRENCY -> error(429, "1302", "您当前使用该 API 的并发数过高，请降低并发，或联系客服增加限额。");
			case BANNED -> error(429, "1121", "账户因违规已被锁定");
		};
	}

	@Override
	public JsonNode failure(int status) {
		return error(status, "500", "内部错误").body();
	}

	@Override
	public Problem invalid(InvalidRequest request) {
		return error(request.status(), "1210", request.message());
	}

	private static Problem error(int status, String code, String message) {
		return new Problem(status, Json.object("error", Json.object("code", code, "message", message)));
	}

}
