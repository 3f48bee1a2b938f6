package io.github.llmratelimit.simulator;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TokenWindow}.
 */
class TokenWindowTests {

	private final TokenWindow window = new TokenWindow(100, 1000);

	@Test
	void waitsUntilEnoughTokensLeave() {
		this.window.take(30, 0);
		this.window.take(40, 10);
		this.window.take(30, 20);
		assertThat(this.window.waitNanos(0, 20)).isZero();
		assertThat(this.window.waitNanos(30, 20)).isEqualTo(980);
		assertThat(this.window.waitNanos(31, 20)).isEqualTo(990);
		assertThat(this.window.waitNanos(100, 20)).isEqualTo(1000);
		assertThat(this.window.waitNanos(30, 999)).isEqualTo(1);
		assertThat(this.window.waitNanos(30, 1000)).isZero();
	}

	@Test
	void settlesTheChargeWhereItWasMade() {
		TokenLimit.Charge charge = this.window.take(100, 0);
		this.window.settle(charge, 40, 500);
		assertThat(this.window.used(500)).isEqualTo(40);
		assertThat(this.window.waitNanos(61, 500)).isEqualTo(500);
		assertThat(this.window.used(1000)).isZero();
	}

	@Test
	void resetsWhenTheLastTokensLeave() {
		this.window.take(1, 100);
		assertThat(this.window.resetNanos(300)).isEqualTo(800);
		assertThat(this.window.resetNanos(1100)).isZero();
	}

	@Test
	void followsAChangedLimit() {
		this.window.take(50, 0);
		this.window.changeLimit(50, 0);
		assertThat(this.window.waitNanos(1, 0)).isEqualTo(1000);
	}

}
