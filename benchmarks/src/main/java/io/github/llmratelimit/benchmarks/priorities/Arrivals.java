package io.github.llmratelimit.benchmarks.priorities;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * When interactive calls come: at random moments that know nothing of each other, so many
 * at once.
 *
 * @param perMinute moments per minute on average
 * @param size calls at each of them
 */
record Arrivals(double perMinute, int size) {

	List<Duration> within(Duration time, long seed) {
		Random random = new Random(seed);
		List<Duration> arrivals = new ArrayList<>();
		double seconds = pause(random);
		while (seconds < time.toSeconds()) {
			for (int i = 0; i < this.size; i++) {
				arrivals.add(Duration.ofNanos((long) (seconds * 1e9)));
			}
			seconds += pause(random);
		}
		return arrivals;
	}

	private double pause(Random random) {
		return -Math.log(1 - random.nextDouble()) * 60 / this.perMinute;
	}

}
