package io.github.llmratelimit.time;

import java.time.Instant;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The clocks of this machine.
 */
final class SystemTime implements TimeSource {

	private final long start = System.nanoTime();

	@Override
	public long nanoTime() {
		return System.nanoTime() - this.start;
	}

	@Override
	public Instant now() {
		return Instant.now();
	}

	@Override
	public Scheduler scheduler() {
		return Schedulers.parallel();
	}

}
