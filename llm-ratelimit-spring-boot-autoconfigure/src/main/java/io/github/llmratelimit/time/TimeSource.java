package io.github.llmratelimit.time;

import java.time.Instant;

import reactor.core.scheduler.Scheduler;

/**
 * The time, and the means to wait for it. Thread-safe. Clock and scheduler MUST agree: in
 * tests both are moved by hand.
 */
public interface TimeSource {

	/**
	 * The monotonic time, for every duration.
	 * @return nanoseconds since an arbitrary moment, never negative
	 */
	long nanoTime();

	/**
	 * The wall clock, only to relate moments that a provider states to the monotonic
	 * time.
	 * @return the current moment
	 */
	Instant now();

	/**
	 * The scheduler on which everything waits.
	 * @return a scheduler that never blocks
	 */
	Scheduler scheduler();

	/**
	 * The clocks of this machine and Reactor's parallel scheduler.
	 * @return the time source
	 */
	static TimeSource system() {
		return new SystemTime();
	}

}
