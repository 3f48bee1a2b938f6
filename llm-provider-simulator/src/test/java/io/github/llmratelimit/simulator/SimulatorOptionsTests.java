package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;

import io.github.llmratelimit.simulator.dialect.SimulatedDialect;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link SimulatorOptions}, {@link Delay} and {@link OutputTokens}.
 */
class SimulatorOptionsTests {

	@Test
	void isUnlimitedByDefault() {
		SimulatorOptions options = SimulatorOptions.builder().build();
		assertThat(options.requestsPerMinute()).isNull();
		assertThat(options.tokensPerMinute()).isNull();
		assertThat(options.inputTokensPerMinute()).isNull();
		assertThat(options.outputTokensPerMinute()).isNull();
		assertThat(options.maxConcurrency()).isNull();
		assertThat(options.minute()).isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void copiesEveryOption() {
		SimulatorOptions options = SimulatorOptions.builder()
			.dialect(SimulatedDialect.GEMINI)
			.requestsPerMinute(1)
			.tokensPerMinute(2)
			.inputTokensPerMinute(21)
			.outputTokensPerMinute(22)
			.maxConcurrency(3)
			.minute(Duration.ofSeconds(4))
			.slices(5)
			.tokenAlgorithm(SimulatorOptions.TokenAlgorithm.ROLLING)
			.charging(SimulatorOptions.Charging.ACTUAL)
			.settles(true)
			.scope(SimulatorOptions.Scope.PER_KEY)
			.account("key", "team")
			.revokeKey("old")
			.refusedCount(true)
			.refusalStatus(439)
			.headers(SimulatorOptions.Headers.NONE)
			.latency(Delay.fixed(Duration.ofSeconds(6)))
			.networkDelay(Delay.uniform(Duration.ZERO, Duration.ofSeconds(7)))
			.outputTokens(OutputTokens.fixed(8))
			.chunkInterval(Duration.ofMillis(9))
			.usedBefore(10, 11)
			.ban(12, Duration.ofSeconds(13), Duration.ofSeconds(14))
			.failEvery(15, 500)
			.seed(16)
			.build();
		assertThat(options.toBuilder().build()).isEqualTo(options);
	}

	@Test
	void refusesLimitsThatAreNotPositive() {
		assertThatIllegalArgumentException().isThrownBy(() -> SimulatorOptions.builder().requestsPerMinute(0).build())
			.withMessage("requestsPerMinute: 0 (expected: > 0)");
		assertThatIllegalArgumentException().isThrownBy(() -> SimulatorOptions.builder().tokensPerMinute(-1).build())
			.withMessage("tokensPerMinute: -1 (expected: > 0)");
		assertThatIllegalArgumentException().isThrownBy(() -> SimulatorOptions.builder().failEvery(0, 500))
			.withMessage("failEvery: 0 (expected: > 0)");
	}

	@Test
	void refusesMoreTokensThanItCanCountExactly() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> SimulatorOptions.builder().tokensPerMinute(40_000_000).build())
			.withMessageStartingWith("tokensPerMinute: 40000000 (expected: <= ");
		assertThat(SimulatorOptions.builder().tokensPerMinute(30_000_000).build().tokensPerMinute())
			.isEqualTo(30_000_000);
	}

	@Test
	void drawsDelaysWithinTheirBounds() {
		Random random = new Random(1);
		Delay delay = Delay.uniform(Duration.ofMillis(10), Duration.ofMillis(60));
		assertThat(IntStream.range(0, 1000).mapToLong((i) -> delay.drawNanos(random)).summaryStatistics())
			.satisfies((drawn) -> {
				assertThat(drawn.getMin()).isBetween(10_000_000L, 11_000_000L);
				assertThat(drawn.getMax()).isBetween(59_000_000L, 60_000_000L);
			});
		assertThat(Delay.fixed(Duration.ofMillis(5)).drawNanos(random)).isEqualTo(5_000_000);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Delay.uniform(Duration.ofMillis(2), Duration.ofMillis(1)));
	}

	@Test
	void drawsOutputLengthsWithTheMeanAskedFor() {
		Random random = new Random(1);
		OutputTokens lognormal = OutputTokens.lognormal(500, 0.5);
		assertThat(IntStream.range(0, 20_000).map((i) -> lognormal.draw(random)).average().orElseThrow())
			.isBetween(490.0, 510.0);
		OutputTokens uniform = OutputTokens.uniform(3, 5);
		assertThat(IntStream.range(0, 100).map((i) -> uniform.draw(random)).distinct().sorted().toArray())
			.containsExactly(3, 4, 5);
	}

}
