package io.github.llmratelimit.retry;

import java.time.Duration;

import io.github.llmratelimit.retry.Backoff.Jitter;
import io.github.llmratelimit.retry.Backoff.Strategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link Backoff}.
 */
class BackoffTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@ParameterizedTest
	@CsvSource(textBlock = """
			# strategy, multiplier, attempt, step in ms
			EXPONENTIAL,  2,    1,    1000
			EXPONENTIAL,  2,    2,    2000
			EXPONENTIAL,  2,    6,   32000
			EXPONENTIAL,  2,    7,   60000
			EXPONENTIAL,  2,  100,   60000
			EXPONENTIAL,  2, 5000,   60000
			EXPONENTIAL,  1,   50,    1000
			EXPONENTIAL, 1.5,   3,    2250
			FIXED,        2,    1,    1000
			FIXED,        2,   50,    1000
			""")
	void growsFromAttemptToAttempt(Strategy strategy, double multiplier, int attempt, long millis) {
		Backoff backoff = new Backoff(strategy, SECOND, multiplier, MINUTE, Jitter.NONE);
		assertThat(backoff.step(attempt)).isEqualTo(Duration.ofMillis(millis));
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			# jitter, random, wait in ms on a floor of 10 s with a step of 4 s
			NONE,   0.0,  10000
			NONE,   0.9,  10000
			EQUAL,  0.0,  12000
			EQUAL,  0.5,  13000
			EQUAL,  0.75, 13500
			FULL,   0.0,  10000
			FULL,   0.5,  12000
			FULL,   0.75, 13000
			""")
	void spreadsOnTopOfTheFloor(Jitter jitter, double random, long millis) {
		Backoff backoff = new Backoff(Strategy.EXPONENTIAL, SECOND, 2, MINUTE, jitter);
		Duration wait = backoff.spread(Duration.ofSeconds(10), Duration.ofSeconds(4), random);
		assertThat(wait).isEqualTo(Duration.ofMillis(millis));
	}

	@Test
	void namesWhatIsWrong() {
		assertThatIllegalArgumentException().isThrownBy(() -> backoff(Duration.ZERO, 2, MINUTE))
			.withMessage("base-delay: PT0S (expected: > 0)");
		assertThatIllegalArgumentException().isThrownBy(() -> backoff(SECOND, 0.5, MINUTE))
			.withMessage("multiplier: 0.5 (expected: >= 1)");
		assertThatIllegalArgumentException().isThrownBy(() -> backoff(SECOND, Double.NaN, MINUTE))
			.withMessage("multiplier: NaN (expected: >= 1)");
		assertThatIllegalArgumentException().isThrownBy(() -> backoff(MINUTE, 2, SECOND))
			.withMessage("max-delay: PT1S (expected: >= base-delay PT1M)");
	}

	private static Backoff backoff(Duration base, double multiplier, Duration max) {
		return new Backoff(Strategy.EXPONENTIAL, base, multiplier, max, Jitter.FULL);
	}

}
