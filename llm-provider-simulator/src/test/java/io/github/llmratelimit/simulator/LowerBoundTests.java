package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

import io.github.llmratelimit.simulator.SimulatorOptions.TokenAlgorithm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LowerBound}.
 */
class LowerBoundTests {

	private final SimulatorOptions options = SimulatorOptions.builder()
		.requestsPerMinute(60)
		.tokensPerMinute(100_000)
		.latency(Delay.fixed(Duration.ofSeconds(3)))
		.build();

	@Test
	void isTheKnownFigureWhereTokensBind() {
		LowerBound bound = LowerBound.of(this.options, calls(1000, 2000));
		assertThat(bound.seconds()).isEqualTo(1143.0);
		assertThat(bound.makespan()).isEqualTo(Duration.ofSeconds(1143));
		assertThat(bound.requestsOnly()).isEqualTo(Duration.ofSeconds(963));
		assertThat(bound.tokensOnly()).isEqualTo(Duration.ofSeconds(1143));
	}

	@Test
	void isTheKnownFigureWhereRequestsBind() {
		assertThat(LowerBound.of(this.options, calls(1000, 500)).seconds()).isEqualTo(963.0);
	}

	@Test
	void waitsAWholeWindowWhereTokensRoll() {
		SimulatorOptions rolling = this.options.toBuilder().tokenAlgorithm(TokenAlgorithm.ROLLING).build();
		assertThat(LowerBound.of(rolling, calls(1000, 2000)).seconds()).isEqualTo(19 * 60 + 3.0);
	}

	@Test
	void startsLaterWhenOthersUsedTheFirstMinute() {
		SimulatorOptions cold = this.options.toBuilder().usedBefore(40, 0).build();
		assertThat(LowerBound.of(cold, calls(21, 1)).seconds()).isEqualTo(63.0);
	}

	@Test
	void keepsToSlices() {
		SimulatorOptions sliced = this.options.toBuilder().slices(60).build();
		assertThat(LowerBound.of(sliced, calls(10, 1)).seconds()).isEqualTo(9 + 3.0);
	}

	@Test
	void doesNotDependOnTheOrderForABucketAlone() {
		long[] tokens = new Random(1).longs(500, 1, 9000).toArray();
		Duration bound = LowerBound.of(this.options, tokens).tokensOnly();
		Arrays.sort(tokens);
		assertThat(LowerBound.of(this.options, tokens).tokensOnly()).isEqualTo(bound);
		long missing = Arrays.stream(tokens).sum() - 100_000;
		assertThat(bound).isEqualTo(Duration.ofNanos(missing * 600_000).plusSeconds(3));
	}

	@Test
	void isTheSameWhateverHappensToRefusedCalls() {
		SimulatorOptions strict = this.options.toBuilder()
			.refusedCount(true)
			.ban(1, Duration.ofMinutes(1), Duration.ofHours(1))
			.maxConcurrency(1)
			.build();
		assertThat(LowerBound.of(strict, calls(1000, 2000)).seconds()).isEqualTo(1143.0);
	}

	@Test
	void isOnlyTheLatencyWithoutLimits() {
		SimulatorOptions free = SimulatorOptions.builder().latency(Delay.fixed(Duration.ofSeconds(3))).build();
		assertThat(LowerBound.of(free, calls(10, 100)).seconds()).isEqualTo(3.0);
		assertThat(LowerBound.of(free, new long[0]).makespan()).isZero();
	}

	@Test
	void refusesACallThatNeverFits() {
		assertThatIllegalArgumentException().isThrownBy(() -> LowerBound.of(this.options, calls(1, 100_001)))
			.withMessage("tokens: 100001 (expected: <= 100000)");
	}

	private static long[] calls(int count, long tokens) {
		long[] calls = new long[count];
		Arrays.fill(calls, tokens);
		return calls;
	}

}
