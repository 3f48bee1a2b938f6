package io.github.llmratelimit.simulator;

import java.math.BigInteger;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TokenBucket}.
 */
class TokenBucketTests {

	private static final long MINUTE = 60_000_000_000L;

	private final TokenBucket bucket = new TokenBucket(100_000, MINUTE, 0);

	@Test
	void startsFull() {
		assertThat(this.bucket.waitNanos(100_000, 0)).isZero();
		assertThat(this.bucket.used(0)).isZero();
		assertThat(this.bucket.resetNanos(0)).isZero();
	}

	@Test
	void refillsContinuously() {
		this.bucket.take(100_000, 0);
		assertThat(this.bucket.waitNanos(2000, 0)).isEqualTo(1_200_000_000L);
		assertThat(this.bucket.waitNanos(2000, 1_199_999_999L)).isEqualTo(1);
		assertThat(this.bucket.waitNanos(2000, 1_200_000_000L)).isZero();
		assertThat(this.bucket.resetNanos(1_200_000_000L)).isEqualTo(58_800_000_000L);
	}

	@Test
	void doesNotOverflowAfterALongPause() {
		this.bucket.take(100_000, 0);
		assertThat(this.bucket.used(Long.MAX_VALUE)).isZero();
	}

	@Test
	void settlesInBothDirectionsAndKeepsToItsCapacity() {
		TokenLimit.Charge charge = this.bucket.take(1000, 0);
		this.bucket.settle(charge, 1500, 0);
		assertThat(this.bucket.used(0)).isEqualTo(1500);
		this.bucket.settle(charge, 200, 0);
		assertThat(this.bucket.used(0)).isEqualTo(200);
		this.bucket.settle(charge, 0, MINUTE);
		assertThat(this.bucket.used(MINUTE)).isZero();
	}

	@Test
	void getsIntoDebtWhenACallUsedMoreThanWasLeft() {
		TokenLimit.Charge charge = this.bucket.take(100_000, 0);
		this.bucket.settle(charge, 150_000, 0);
		assertThat(this.bucket.waitNanos(1, 0)).isEqualTo(30_000_600_000L);
	}

	@Test
	void keepsNoMoreThanALoweredLimit() {
		this.bucket.take(20_000, 0);
		this.bucket.changeLimit(50_000, 0);
		assertThat(this.bucket.used(0)).isZero();
		this.bucket.take(50_000, 0);
		assertThat(this.bucket.waitNanos(50_000, 0)).isEqualTo(MINUTE);
	}

	@Test
	void agreesWithExactArithmetic() {
		for (int seed = 0; seed < 50; seed++) {
			Random random = new Random(seed);
			long limit = random.nextLong(1, 1_000_000);
			TokenBucket limited = new TokenBucket(limit, MINUTE, 0);
			BigInteger level = exact(limit).multiply(exact(MINUTE));
			long now = 0;
			for (int i = 0; i < 200; i++) {
				long pause = random.nextLong(1_000_000_000L);
				now += pause;
				level = level.add(exact(pause).multiply(exact(limit))).min(exact(limit).multiply(exact(MINUTE)));
				long tokens = random.nextLong(limit) + 1;
				long wait = exactWait(exact(tokens).multiply(exact(MINUTE)).subtract(level), limit);
				assertThat(limited.waitNanos(tokens, now)).isEqualTo(wait);
				if (wait == 0) {
					limited.take(tokens, now);
					level = level.subtract(exact(tokens).multiply(exact(MINUTE)));
				}
			}
		}
	}

	private static long exactWait(BigInteger missing, long rate) {
		return missing.max(BigInteger.ZERO).add(exact(rate - 1)).divide(exact(rate)).longValueExact();
	}

	private static BigInteger exact(long value) {
		return BigInteger.valueOf(value);
	}

}
