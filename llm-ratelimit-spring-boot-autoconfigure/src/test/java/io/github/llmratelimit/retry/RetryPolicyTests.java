package io.github.llmratelimit.retry;

import java.time.Duration;
import java.util.Random;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link RetryPolicy}: four attempts, one second doubled up to a minute, fully
 * spread.
 */
class RetryPolicyTests {

	private static RetryPolicy policy(double random) {
		return new RetryPolicy(4, Backoff.DEFAULT, () -> random);
	}

	private static ThrottleSignal throttled(Tripped tripped, @Nullable Long hintMillis) {
		Duration hint = (hintMillis != null) ? Duration.ofMillis(hintMillis) : null;
		return ThrottleSignal.throttled(tripped, hint, null);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			# tripped,  hint,   attempt, random, cooldown, backoff (all in ms)
			REQUESTS,    20000,  1,       0.0,    20000,    20000
			REQUESTS,    20000,  1,       0.5,    20000,    20500
			TOKENS,      20000,  3,       0.5,    20000,    22000
			UNKNOWN,     ,       1,       0.0,     1000,     1000
			UNKNOWN,     ,       1,       0.5,     1000,     1500
			UNKNOWN,     ,       3,       0.25,    4000,     5000
			REQUESTS,    18,     1,       0.0,       18,     1000
			REQUESTS,    0,      1,       0.0,        0,     1000
			REQUESTS,    86400000, 1,     0.5, 86400000, 86400500
			CONCURRENCY, ,       1,       0.0,        0,     1000
			CONCURRENCY, 5000,   1,       0.0,        0,     5000
			""")
	void waitsForTheHintOrTheStepWhicheverIsLonger(Tripped tripped, Long hint, int attempt, double random,
			long cooldown, long backoff) {
		RetryDecision decision = policy(random).decide(throttled(tripped, hint), attempt);
		assertThat(decision.retry()).isTrue();
		assertThat(decision.cooldown().atLeast()).isEqualTo(Duration.ofMillis(cooldown));
		assertThat(decision.backoff()).isEqualTo(Duration.ofMillis(backoff));
	}

	@Test
	void neverWaitsLessThanTheHintOrTheStep() {
		Random random = new Random(3);
		RetryPolicy policy = new RetryPolicy(100, Backoff.DEFAULT, random::nextDouble);
		for (int i = 0; i < 10_000; i++) {
			int attempt = 1 + random.nextInt(50);
			Duration hint = Duration.ofMillis(random.nextInt(200_000));
			RetryDecision decision = policy.decide(throttled(Tripped.TOKENS, hint.toMillis()), attempt);
			assertThat(decision.backoff()).isGreaterThanOrEqualTo(hint)
				.isGreaterThanOrEqualTo(Backoff.DEFAULT.step(attempt))
				.isLessThan(Backoff.DEFAULT.step(attempt).multipliedBy(2).plus(hint));
		}
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			# hint, attempt, random, cooldown (all in ms)
			20000,  1,       0.0,    20000
			20000,  1,       0.5,    20500
			20000,  3,       0.5,    22000
			18,     1,       0.5,       27
			,       1,       0.25,    1250
			,       3,       0.5,     6000
			0,      1,       0.5,        0
			""")
	void spreadsTheCooldownOfAllByAStepButAtMostDoublesIt(Long hint, int attempt, double random, long cooldown) {
		RetryDecision decision = policy(random).decide(throttled(Tripped.TOKENS, hint), attempt);
		assertThat(decision.cooldown().length()).isEqualTo(Duration.ofMillis(cooldown));
	}

	@Test
	void givesUpAfterTheLastAttemptButStillClosesTheLevel() {
		RetryDecision decision = policy(0).decide(throttled(Tripped.REQUESTS, 20_000L), 4);
		assertThat(decision.retry()).isFalse();
		assertThat(decision.cooldown().atLeast()).isEqualTo(Duration.ofSeconds(20));
	}

	@Test
	void retriesAnOverloadedProvider() {
		RetryDecision decision = policy(0).decide(ThrottleSignal.of(CallOutcome.OVERLOADED), 2);
		assertThat(decision.retry()).isTrue();
		assertThat(decision.cooldown().atLeast()).isEqualTo(Duration.ofSeconds(2));
		assertThat(decision.backoff()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void retriesACallThatWasNotSentOnceAndAtOnce() {
		ThrottleSignal notSent = ThrottleSignal.of(CallOutcome.NOT_SENT);
		assertThat(policy(0.5).decide(notSent, 1)).isEqualTo(new RetryDecision(true, Cooldown.NONE, Duration.ZERO));
		assertThat(policy(0.5).decide(notSent, 2).retry()).isFalse();
		assertThat(new RetryPolicy(1, Backoff.DEFAULT, () -> 0).decide(notSent, 1).retry()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "THROTTLED", "OVERLOADED", "NOT_SENT" })
	void retriesNothingElse(CallOutcome outcome) {
		assertThat(policy(0.5).decide(ThrottleSignal.of(outcome), 1))
			.isEqualTo(new RetryDecision(false, Cooldown.NONE, Duration.ZERO));
	}

	@Test
	void needsAtLeastOneAttempt() {
		assertThatIllegalArgumentException().isThrownBy(() -> new RetryPolicy(0, Backoff.DEFAULT, () -> 0))
			.withMessage("max-attempts: 0 (expected: > 0)");
	}

}
