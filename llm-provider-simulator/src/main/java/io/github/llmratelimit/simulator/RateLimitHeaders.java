package io.github.llmratelimit.simulator;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.llmratelimit.simulator.SimulatorOptions.Headers;
import io.github.llmratelimit.simulator.dialect.Conversation;
import io.github.llmratelimit.simulator.dialect.Levels;
import io.github.llmratelimit.simulator.dialect.Refusal;

/**
 * The rate-limit headers of one response, as far as the options let them through.
 */
final class RateLimitHeaders {

	private RateLimitHeaders() {
	}

	static Map<String, String> answered(Headers kind, Conversation conversation, Levels levels, Instant now) {
		return (kind == Headers.DIALECT) ? conversation.levels(levels, now) : Map.of();
	}

	static Map<String, String> refused(Headers kind, Conversation conversation, Refusal refusal, Instant now) {
		Map<String, String> headers = new LinkedHashMap<>(answered(kind, conversation, refusal.levels(), now));
		if (refusal.waitNanos() > 0) {
			headers.putAll(hint(kind, conversation, refusal));
		}
		return headers;
	}

	private static Map<String, String> hint(Headers kind, Conversation conversation, Refusal refusal) {
		return switch (kind) {
			case DIALECT -> conversation.hint(refusal.waitNanos());
			case RETRY_AFTER -> Map.of("retry-after", Long.toString(refusal.waitIn(1_000_000_000)));
			case NONE -> Map.of();
		};
	}

}
