package io.github.llmratelimit;

import java.time.Duration;

/**
 * The place in line of a call that is admitted again after a refusal.
 *
 * @param sequence order of arrival among all calls to the provider
 * @param waited how long the call has waited so far, in line and between attempts
 */
public record Turn(long sequence, Duration waited) {

	/**
	 * The same place after some more waiting.
	 * @param more time waited since
	 * @return the changed copy
	 */
	public Turn plus(Duration more) {
		return new Turn(this.sequence, this.waited.plus(more));
	}

}
