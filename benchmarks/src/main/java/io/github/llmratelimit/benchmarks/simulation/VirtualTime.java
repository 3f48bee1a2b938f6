package io.github.llmratelimit.benchmarks.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.time.TimeSource;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Clock and scheduler in one, moved by hand. One thread only.
 */
public final class VirtualTime implements TimeSource {

	private final VirtualTimeScheduler scheduler = VirtualTimeScheduler.create();

	@Override
	public long nanoTime() {
		return this.scheduler.now(TimeUnit.NANOSECONDS);
	}

	@Override
	public Instant now() {
		return Instant.EPOCH.plusNanos(nanoTime());
	}

	@Override
	public Scheduler scheduler() {
		return this.scheduler;
	}

	/** Let everything happen that is due until then. */
	public void advanceBy(Duration duration) {
		this.scheduler.advanceTimeBy(duration);
	}

}
