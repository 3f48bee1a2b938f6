package io.github.llmratelimit.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The limits of one account with a clock that the test sets.
 */
final class TestAccount {

	static final long SECOND = Duration.ofSeconds(1).toNanos();

	private final ProviderPlan plan;

	private final AccountLimits limits;

	private long now;

	TestAccount(ProviderPlan plan, Instant start) {
		this.plan = plan;
		this.limits = new AccountLimits(plan, ProviderPlan.DEFAULT_ACCOUNT, new WallTime(start, 0));
	}

	TestAccount(ProviderPlan plan) {
		this(plan, Instant.EPOCH);
	}

	static TestAccount of(Limit... limits) {
		return new TestAccount(ProviderPlan.of("test", LimitPlan.of(limits)));
	}

	static TestAccount of(LimitPlan plan, ModelGroup... groups) {
		return new TestAccount(ProviderPlan.of("test", plan, groups));
	}

	static Limit rpm(long amount) {
		return limit("rpm", Counted.REQUESTS, amount, LimitAlgorithm.SLIDING_WINDOW);
	}

	static Limit tpm(long amount) {
		return limit("tpm", Counted.TOKENS, amount, LimitAlgorithm.SLIDING_WINDOW);
	}

	static Limit bucket(long amount) {
		return limit("tpm", Counted.TOKENS, amount, LimitAlgorithm.TOKEN_BUCKET);
	}

	static Limit limit(String name, Counted counts, long amount, LimitAlgorithm algorithm) {
		return Limit.of(name, counts, amount, Duration.ofMinutes(1), algorithm);
	}

	long now() {
		return this.now;
	}

	TestAccount at(double seconds) {
		return atNanos(Math.round(seconds * SECOND));
	}

	TestAccount atNanos(long nanos) {
		this.now = nanos;
		return this;
	}

	Claim claim(LlmCall call) {
		return new Claim(call, this.plan.scopeOf(call));
	}

	static LlmCall call(long tokens) {
		return LlmCall.to("test").withTokens(tokens, 0);
	}

	static LlmCall guess(long input, long output) {
		return LlmCall.to("test").withTokens(new TokenEstimate(input, output, true));
	}

	Verdict reserve(Claim claim) {
		return this.limits.reserve(claim, this.now);
	}

	Verdict reserve(LlmCall call) {
		return reserve(claim(call));
	}

	Verdict reserve(long tokens) {
		return reserve(call(tokens));
	}

	/** Take what has to be free. */
	Claim take(LlmCall call) {
		Claim claim = claim(call);
		assertThat(reserve(claim)).isEqualTo(Verdict.GRANTED);
		return claim;
	}

	Claim take(long tokens) {
		return take(call(tokens));
	}

	void take(int times, long tokens) {
		for (int i = 0; i < times; i++) {
			take(tokens);
		}
	}

	void settle(Claim claim, CallOutcome outcome, @Nullable TokenUsage usage) {
		this.limits.settle(claim, outcome, usage);
	}

	/** End a call that has used this many input tokens. */
	void answer(Claim claim, long tokens) {
		settle(claim, CallOutcome.SUCCESS, new TokenUsage(tokens, 0));
	}

	List<LevelEvent> observe(Claim claim, Observed... observed) {
		return this.limits.observe(claim, new ObservedLimits(Arrays.asList(observed)), this.now);
	}

	List<LevelEvent> coolDown(Claim claim, ThrottleSignal signal, Duration cooldown) {
		return this.limits.refuse(claim, signal, Cooldown.of(cooldown), this.now);
	}

	LevelSnapshot snapshot() {
		return this.limits.snapshot(this.now);
	}

	long used(String limit) {
		return snapshot().limits()
			.stream()
			.filter((candidate) -> candidate.limit().name().equals(limit))
			.findFirst()
			.orElseThrow()
			.used();
	}

	/**
	 * Assert that a call has to wait exactly this long: one nanosecond earlier it is
	 * refused, and nothing was taken by asking.
	 */
	void assertWaits(LlmCall call, double seconds, String limit) {
		long asked = this.now;
		LevelSnapshot before = snapshot();
		Verdict verdict = reserve(call);
		assertThat(verdict.kind()).isEqualTo(Verdict.Kind.WAIT);
		assertThat(verdict.waitNanos()).isEqualTo(Math.round(seconds * SECOND));
		assertThat(verdict.blockedBy()).extracting(BlockedBy::limit).isEqualTo(limit);
		assertThat(snapshot()).isEqualTo(before);
		assertThat(atNanos(asked + verdict.waitNanos() - 1).reserve(call).kind()).isEqualTo(Verdict.Kind.WAIT);
		assertThat(atNanos(asked + verdict.waitNanos()).reserve(call).isGranted()).isTrue();
	}

	void assertWaits(long tokens, double seconds, String limit) {
		assertWaits(call(tokens), seconds, limit);
	}

}
