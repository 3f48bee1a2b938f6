package io.github.llmratelimit.benchmarks.acquire;

import java.time.Duration;
import java.util.List;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.benchmarks.Starter;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.store.ProviderLimits;
import io.github.llmratelimit.time.TimeSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A decision and its completion as the starter configures it: cooldown, concurrency,
 * requests in a sliding window, tokens in a bucket. The window is so short that it holds
 * some hundred entries and lets go of one for each that it takes.
 */
@State(Scope.Benchmark)
public class Ours {

	static final int TOKENS = 2000;

	private static final Duration WINDOW = Duration.ofNanos(20_000);

	private static final ProviderPlan PLAN = Starter.plan(
			LimitPlan
				.of(Starter.limit(Counted.REQUESTS, 1_000_000, WINDOW, 1.0),
						Starter.perMinute(Counted.TOKENS, 1_000_000_000_000_000L, 1.0))
				.withMaxConcurrency(1000));

	private final LlmCall call = LlmCall.to(Starter.PROVIDER).withModel("gpt-4o-mini").withTokens(TOKENS, 0);

	private final LimitScope scope = PLAN.scopeOf(this.call);

	private final TokenUsage usage = new TokenUsage(TOKENS, 0);

	private final ProviderLimits limits = new LocalLimitStore(TimeSource.system()).open(PLAN);

	private final AdmissionController limiter = new AdmissionController(List.of(PLAN),
			new LocalLimitStore(TimeSource.system()), TimeSource.system(), List.of());

	/**
	 * The decision itself.
	 * @return the verdict
	 */
	@Benchmark
	public Verdict decision() {
		Claim claim = new Claim(this.call, this.scope);
		Verdict verdict = this.limits.tryReserve(claim);
		if (verdict == null || !verdict.isGranted()) {
			throw new IllegalStateException("refused: " + verdict);
		}
		this.limits.settle(claim, CallOutcome.SUCCESS, this.usage);
		return verdict;
	}

	/** The whole way: acquire, subscribe, complete the permit. */
	@Benchmark
	public void monoPath() {
		this.limiter.acquire(this.call).subscribe((permit) -> permit.complete(CallOutcome.SUCCESS, null));
	}

}
