package io.github.llmratelimit.pipeline;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RefusedCall;
import io.github.llmratelimit.ThrottleSignal;
import reactor.core.publisher.Mono;

/**
 * An exchange that answers what it is told, in order, and remembers its permits.
 */
final class ScriptedExchange implements Exchange<String> {

	private final Queue<Supplier<Mono<Answer<String>>>> answers = new ArrayDeque<>();

	final List<Permit> permits = new ArrayList<>();

	ScriptedExchange then(Mono<Answer<String>> answer) {
		return then(() -> answer);
	}

	ScriptedExchange then(Supplier<Mono<Answer<String>>> answer) {
		this.answers.add(answer);
		return this;
	}

	@Override
	public Mono<Answer<String>> send(Permit permit) {
		this.permits.add(permit);
		permit.observe(ObservedLimits.NONE);
		return this.answers.remove().get();
	}

	@Override
	public ThrottleSignal classify(Throwable failure) {
		return ThrottleSignal.of(CallOutcome.FAILED);
	}

	@Override
	public RefusedCall refused(LlmCall call, LlmRateLimitException refusal) {
		return new RefusedCall(call, refusal, null, null, Map.of());
	}

	@Override
	public Mono<String> answer(RefusedCall refused, FallbackAnswer answer) {
		return Mono.just(new String(((FallbackAnswer.Response) answer).body(), StandardCharsets.UTF_8));
	}

}
