package io.github.llmratelimit;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link Limit}.
 */
class LimitTests {

	private static Limit limit(Counted counts, long amount, LimitAlgorithm algorithm) {
		return Limit.of("limit", counts, amount, Duration.ofMinutes(1), algorithm);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			# counts, amount, margin, effective
			REQUESTS,   19, 0.5,    19
			REQUESTS,   20, 0.5,    10
			REQUESTS,    1, 0.95,    1
			REQUESTS,  100, 0.001,   1
			TOKENS,     19, 0.5,     9
			TOKENS,      1, 0.1,     1
			TOKENS, 100000, 0.95, 95000
			TOKENS, 100000, 1,   100000
			""")
	void usesTheMarginButNeverLessThanOneAndSmallRequestLimitsWhole(Counted counts, long amount, double margin,
			long effective) {
		Limit limit = limit(counts, amount, LimitAlgorithm.SLIDING_WINDOW).withMargin(margin);
		assertThat(limit.effective()).isEqualTo(effective);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			# algorithm, margin, total, seconds at least
			SLIDING_WINDOW, 1.0,   0,    0
			SLIDING_WINDOW, 1.0, 100,    0
			SLIDING_WINDOW, 1.0, 101,   60
			SLIDING_WINDOW, 1.0, 200,   60
			SLIDING_WINDOW, 1.0, 201,  120
			SLIDING_WINDOW, 0.5, 100,    0
			SLIDING_WINDOW, 0.5, 101,   60
			TOKEN_BUCKET,   1.0, 100,    0
			TOKEN_BUCKET,   1.0, 150,   30
			TOKEN_BUCKET,   0.5,  50,    0
			TOKEN_BUCKET,   0.5, 100,   60
			FIXED_WINDOW,   1.0, 100,    0
			FIXED_WINDOW,   1.0, 101,    0
			FIXED_WINDOW,   1.0, 201,   60
			""")
	void knowsTheShortestTimeInWhichItAdmitsASum(LimitAlgorithm algorithm, double margin, long total, long seconds) {
		Limit limit = limit(Counted.TOKENS, 100, algorithm).withMargin(margin);
		assertThat(limit.nanosToAdmit(total)).isEqualTo(Duration.ofSeconds(seconds).toNanos());
	}

	@Test
	void namesWhatIsWrong() {
		Limit limit = limit(Counted.TOKENS, 100, LimitAlgorithm.TOKEN_BUCKET);
		assertThatIllegalArgumentException().isThrownBy(() -> limit(Counted.TOKENS, 0, LimitAlgorithm.TOKEN_BUCKET))
			.withMessage("limit: 0 (expected: > 0)");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Limit.of("limit", Counted.TOKENS, 1, Duration.ZERO, LimitAlgorithm.TOKEN_BUCKET))
			.withMessage("limit: per PT0S (expected: > 0)");
		assertThatIllegalArgumentException().isThrownBy(() -> limit.withMargin(0))
			.withMessage("limit: margin 0.0 (expected: > 0 and <= 1)");
		assertThatIllegalArgumentException().isThrownBy(() -> limit.withMargin(1.01));
		assertThatIllegalArgumentException().isThrownBy(() -> limit.withMargin(Double.NaN));
		assertThatIllegalArgumentException().isThrownBy(() -> limit.withSlack(Duration.ofNanos(-1)))
			.withMessage("limit: slack PT-0.000000001S (expected: >= 0)");
		assertThatIllegalArgumentException().isThrownBy(() -> LimitPlan.UNLIMITED.withMaxConcurrency(0))
			.withMessage("max-concurrency: 0 (expected: > 0)");
	}

}
