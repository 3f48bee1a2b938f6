package io.github.llmratelimit.benchmarks.priorities;

import io.github.llmratelimit.Priority;
import io.github.llmratelimit.benchmarks.simulation.StarterStrategy;

/**
 * How the starter is configured, and which priorities the calls have.
 *
 * @param name what it is called
 * @param starter the starter
 * @param interactive priority of the interactive calls
 * @param batch priority of the batch calls
 */
record Policy(String name, StarterStrategy starter, Priority interactive, Priority batch) {

	private static final StarterStrategy PATIENT = StarterStrategy.FULL.with("queue.max-wait.interactive", "24h")
		.with("queue.max-wait.normal", "24h");

	static final Policy FIFO = new Policy("FIFO", PATIENT, Priority.NORMAL, Priority.NORMAL);

	static final Policy PRIORITIES = new Policy("priorities", PATIENT.with("queue.interactive-headroom", 0),
			Priority.INTERACTIVE, Priority.BATCH);

	static Policy headroom(int percent) {
		return new Policy("priorities and headroom of " + percent + " %",
				PATIENT.with("queue.interactive-headroom", percent + "%"), Priority.INTERACTIVE, Priority.BATCH);
	}

}
