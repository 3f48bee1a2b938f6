package io.github.llmratelimit.benchmarks.acquire;

import java.time.Duration;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Bucket4j with two bandwidths in one bucket: all or nothing, but the same amount of
 * both.
 */
@State(Scope.Benchmark)
public class Bucket4j {

	private static final long CAPACITY = 1_000_000_000_000_000L;

	private final Bucket millis = twoBandwidths().build();

	private final Bucket nanos = twoBandwidths().withNanosecondPrecision().build();

	private static LocalBucketBuilder twoBandwidths() {
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(CAPACITY).refillGreedy(1_000_000_000, Duration.ofMinutes(1)))
			.addLimit((limit) -> limit.capacity(CAPACITY).refillGreedy(1_000_000_000, Duration.ofHours(1)));
	}

	/**
	 * By its default clock of milliseconds.
	 * @return whether it was granted
	 */
	@Benchmark
	public boolean millisClock() {
		return granted(this.millis.tryConsume(Ours.TOKENS));
	}

	/**
	 * By the nanosecond clock, which is what the others read.
	 * @return whether it was granted
	 */
	@Benchmark
	public boolean nanosClock() {
		return granted(this.nanos.tryConsume(Ours.TOKENS));
	}

	private static boolean granted(boolean granted) {
		if (!granted) {
			throw new IllegalStateException("refused");
		}
		return granted;
	}

}
