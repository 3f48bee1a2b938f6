package io.github.llmratelimit.sample.demo;

import java.time.Duration;
import java.util.List;

/**
 * What a strategy has achieved.
 *
 * @param name name of the strategy
 * @param calls how many calls there were
 * @param answered the calls that were answered, in the order of their answers
 * @param throttled how often the provider said 429
 */
record Result(String name, int calls, List<Answered> answered, int throttled) {

	/**
	 * An answered call.
	 *
	 * @param after time from the start of all calls to its answer
	 * @param tokens what the provider charged for it
	 */
	record Answered(Duration after, long tokens) {
	}

	int succeeded() {
		return this.answered.size();
	}

	int failed() {
		return this.calls - succeeded();
	}

	/** Time to the last answer, in seconds. */
	double makespan() {
		return this.answered.stream().mapToDouble(Result::seconds).max().orElse(0);
	}

	/** Mean time to the answer, in seconds. */
	double meanWait() {
		return this.answered.stream().mapToDouble(Result::seconds).average().orElse(0);
	}

	long[] tokens() {
		return this.answered.stream().mapToLong(Answered::tokens).toArray();
	}

	private static double seconds(Answered call) {
		return call.after().toNanos() / 1e9;
	}

}
