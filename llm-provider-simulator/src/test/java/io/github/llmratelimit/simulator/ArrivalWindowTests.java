package io.github.llmratelimit.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ArrivalWindow}.
 */
class ArrivalWindowTests {

	private final ArrivalWindow window = new ArrivalWindow(3, 100);

	@Test
	void countsAnArrivalUntilJustBeforeItsLengthIsOver() {
		this.window.add(7);
		assertThat(this.window.used(106)).isEqualTo(1);
		assertThat(this.window.used(107)).isZero();
	}

	@Test
	void waitsUntilTheOldestArrivalLeaves() {
		this.window.add(0);
		this.window.add(10);
		assertThat(this.window.waitNanos(10)).isZero();
		this.window.add(20);
		assertThat(this.window.waitNanos(20)).isEqualTo(80);
		assertThat(this.window.waitNanos(99)).isEqualTo(1);
		assertThat(this.window.waitNanos(100)).isZero();
	}

	@Test
	void waitsForTheLastArrivalsWhenAboveTheLimit() {
		for (int now = 0; now < 5; now++) {
			this.window.add(now);
		}
		assertThat(this.window.waitNanos(5)).isEqualTo(2 + 100 - 5);
	}

	@Test
	void resetsWhenTheLastArrivalLeaves() {
		assertThat(this.window.resetNanos(5)).isZero();
		this.window.add(5);
		this.window.add(25);
		assertThat(this.window.resetNanos(30)).isEqualTo(95);
	}

	@Test
	void remembersEnoughForALimitThatIsLoweredAndRaisedAgain() {
		this.window.add(0);
		this.window.add(1);
		this.window.changeLimit(1);
		assertThat(this.window.waitNanos(2)).isEqualTo(99);
		this.window.add(2);
		this.window.changeLimit(3);
		assertThat(this.window.waitNanos(2)).isEqualTo(98);
	}

	@Test
	void agreesWithCountingAllArrivals() {
		for (int seed = 0; seed < 50; seed++) {
			Random random = new Random(seed);
			int limit = random.nextInt(1, 8);
			ArrivalWindow limited = new ArrivalWindow(limit, 50);
			List<Long> all = new ArrayList<>();
			long now = 0;
			for (int i = 0; i < 300; i++) {
				now += random.nextInt(12);
				assertThat(limited.waitNanos(now)).isEqualTo(bruteForceWait(all, limit, now));
				if (limited.waitNanos(now) == 0 || random.nextInt(5) == 0) {
					limited.add(now);
					all.add(now);
				}
			}
		}
	}

	private static long bruteForceWait(List<Long> arrivals, int limit, long now) {
		long at = now;
		while (countAt(arrivals, at) >= limit) {
			at++;
		}
		return at - now;
	}

	private static long countAt(List<Long> arrivals, long at) {
		return arrivals.stream().filter((arrival) -> arrival > at - 50).count();
	}

}
