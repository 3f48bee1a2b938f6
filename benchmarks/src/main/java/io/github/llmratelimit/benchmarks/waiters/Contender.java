package io.github.llmratelimit.benchmarks.waiters;

import java.time.Duration;

import reactor.core.Disposable;

/**
 * Something that calls wait for. Used once.
 */
interface Contender {

	/**
	 * Let one more call wait; the callback is called when it may go.
	 * @param woken the callback
	 * @return what cancels it
	 */
	Disposable wait(Runnable woken);

	/** Timers that are pending. */
	int timers();

	/**
	 * A contender whose calls go evenly within a time, once it has begun.
	 */
	interface Factory {

		/**
		 * Create it.
		 * @param waiters how many will wait
		 * @param begin when the first goes
		 * @param within how long after it the last goes
		 * @return the contender
		 */
		Contender create(int waiters, Duration begin, Duration within);

	}

}
