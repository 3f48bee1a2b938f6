package io.github.llmratelimit.benchmarks.waiters;

import java.time.Duration;
import java.util.List;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.benchmarks.Starter;
import io.github.llmratelimit.store.LocalLimitStore;
import reactor.core.Disposable;

/**
 * The queue of this library, in front of a bucket in debt until the first may go. What
 * follows the admission is not measured, as the peers have nothing like it.
 */
final class Ours implements Contender {

	private static final LlmCall CALL = call(1);

	private final CountingTime time = new CountingTime();

	private final AdmissionController limiter;

	private final boolean ownCalls;

	Ours(int waiters, Duration begin, Duration within, boolean ownCalls) {
		this.ownCalls = ownCalls;
		Limit limit = Limit.of("tokens", Counted.TOKENS, waiters, within, LimitAlgorithm.TOKEN_BUCKET);
		ProviderPlan plan = ProviderPlan.of(Starter.PROVIDER, LimitPlan.of(limit))
			.withQueue(QueueRules.DEFAULT.withCapacity(Integer.MAX_VALUE));
		this.limiter = new AdmissionController(List.of(plan), new LocalLimitStore(this.time), this.time, List.of());
		double debt = (double) begin.toNanos() / within.toNanos();
		this.limiter.acquire(call(waiters))
			.subscribe(
					(permit) -> permit.complete(CallOutcome.SUCCESS, new TokenUsage((long) (waiters * (1 + debt)), 0)));
	}

	private static LlmCall call(long tokens) {
		return LlmCall.to(Starter.PROVIDER).withTokens(tokens, 0).withMaxWait(Duration.ofHours(1));
	}

	@Override
	public Disposable wait(Runnable woken) {
		LlmCall call = this.ownCalls ? CALL.withTokens(1, 0) : CALL;
		return this.limiter.acquire(call).subscribe((permit) -> woken.run());
	}

	@Override
	public int timers() {
		return this.time.timers();
	}

}
