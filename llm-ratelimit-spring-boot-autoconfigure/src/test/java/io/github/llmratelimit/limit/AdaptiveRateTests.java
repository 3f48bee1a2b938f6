package io.github.llmratelimit.limit;

import java.time.Duration;

import io.github.llmratelimit.AdaptiveRules;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link AdaptiveRate}.
 */
class AdaptiveRateTests {

	static final AdaptiveRules RULES = new AdaptiveRules(0.8, 0.02, Duration.ofSeconds(10), 0.3, false,
			(counts, amount, per) -> Limit.of(counts.label(), counts, amount, per, LimitAlgorithm.SLIDING_WINDOW));

	private final AdaptiveRate rate = new AdaptiveRate(RULES, 0.8, 1);

	private static long seconds(double seconds) {
		return Math.round(seconds * TestAccount.SECOND);
	}

	@Test
	void growsByAStepAfterEachQuietTimeWhileCallsWait() {
		assertThat(this.rate.grow(seconds(0))).isFalse();
		assertThat(this.rate.nanosUntilGrowth(seconds(4))).isEqualTo(seconds(6));
		assertThat(this.rate.grow(seconds(9.9))).isFalse();
		assertThat(this.rate.grow(seconds(10))).isTrue();
		assertThat(this.rate.grow(seconds(10))).isFalse();
		assertThat(this.rate.share()).isEqualTo(0.82, within(1e-9));
		assertThat(this.rate.grow(seconds(100))).as("nobody has waited meanwhile: one step").isTrue();
		assertThat(this.rate.grow(seconds(100))).isFalse();
	}

	@Test
	void growsNoFurtherThanItMay() {
		for (int i = 0; i <= 11; i++) {
			this.rate.grow(seconds(10 * i));
		}
		assertThat(this.rate.share()).isEqualTo(1);
		assertThat(this.rate.nanosUntilGrowth(seconds(200))).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void isCutOnceForABurst() {
		assertThat(this.rate.cut(seconds(1), seconds(2))).isTrue();
		assertThat(this.rate.cut(seconds(1.5), seconds(2.1))).isFalse();
		assertThat(this.rate.cut(seconds(2), seconds(2.2))).isFalse();
		assertThat(this.rate.share()).isEqualTo(0.56, within(1e-9));
		assertThat(this.rate.cut(seconds(3), seconds(4))).isTrue();
		assertThat(this.rate.share()).isEqualTo(0.392, within(1e-9));
	}

	@Test
	void aRefusalOfTheSameBurstProlongsTheQuietTimeAllTheSame() {
		this.rate.cut(seconds(1), seconds(2));
		this.rate.cut(seconds(1), seconds(5));
		assertThat(this.rate.grow(seconds(14))).isFalse();
		assertThat(this.rate.grow(seconds(15))).isTrue();
	}

	@Test
	void neverEndsAtNothing() {
		for (int i = 0; i < 100; i++) {
			this.rate.cut(seconds(2 * i), seconds(2 * i + 1));
		}
		assertThat(this.rate.share()).isEqualTo(0.01);
	}

	@Test
	void restsWhileTheProviderAnnouncesTheLimit() {
		this.rate.announced(seconds(5));
		assertThat(this.rate.share()).isEqualTo(1);
		assertThat(this.rate.cut(seconds(20), seconds(21))).isFalse();
		assertThat(this.rate.cut(seconds(64), seconds(66))).as("a minute later").isTrue();
		assertThat(this.rate.share()).isEqualTo(0.7, within(1e-9));
	}

	@Test
	void refusesRulesThatMakeNoSense() {
		assertThatIllegalArgumentException().isThrownBy(() -> rules(0, 0.1, 10, 0.5))
			.withMessage("start: 0.0 (expected: > 0 and <= 1)");
		assertThatIllegalArgumentException().isThrownBy(() -> rules(1, 0, 10, 0.5))
			.withMessage("increase: 0.0 (expected: > 0 and <= 1)");
		assertThatIllegalArgumentException().isThrownBy(() -> rules(1, 0.1, 0, 0.5))
			.withMessage("every: PT0S (expected: > 0)");
		assertThatIllegalArgumentException().isThrownBy(() -> rules(1, 0.1, 10, 1))
			.withMessage("decrease: 1.0 (expected: > 0 and < 1)");
	}

	private static AdaptiveRules rules(double start, double increase, long every, double decrease) {
		return new AdaptiveRules(start, increase, Duration.ofSeconds(every), decrease, false, RULES.found());
	}

}
