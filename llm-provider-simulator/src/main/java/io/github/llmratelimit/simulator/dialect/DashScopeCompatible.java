package io.github.llmratelimit.simulator.dialect;

import java.time.Instant;
import java.util.Map;

/**
 * OpenAI's form as DashScope speaks it: no headers, no hint, codes of its own.
 */
final class DashScopeCompatible extends OpenAi {

	DashScopeCompatible() {
		super(".*/compatible-mode/v1");
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
		DashScopeCode code = DashScopeCode.of(refusal.cause());
		return new Problem(code.status(), OpenAiError.of(code.text(), code.compatible(), code.compatible()));
	}

}
