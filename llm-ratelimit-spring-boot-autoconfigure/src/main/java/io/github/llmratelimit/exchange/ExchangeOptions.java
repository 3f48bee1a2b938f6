package io.github.llmratelimit.exchange;

import java.time.Duration;

import io.github.llmratelimit.QueueRules;

/**
 * How the exchanges with one provider are handled.
 *
 * @param permitTimeout how long a response whose body nobody reads keeps its permit
 * @param requestStreamUsage whether streams are asked for their usage where the request
 * does not say and the dialect allows it
 * @param queue how long calls may wait
 * @param retrying whether refused calls are sent again here, so that no client need do it
 */
public record ExchangeOptions(Duration permitTimeout, boolean requestStreamUsage, QueueRules queue, boolean retrying) {

	/** Ten minutes, requests are sent as they are, and again if they are refused. */
	public static final ExchangeOptions DEFAULT = new ExchangeOptions(Duration.ofMinutes(10), false, QueueRules.DEFAULT,
			true);

	public ExchangeOptions withRequestStreamUsage(boolean requestStreamUsage) {
		return new ExchangeOptions(this.permitTimeout, requestStreamUsage, this.queue, this.retrying);
	}

	public ExchangeOptions withQueue(QueueRules queue) {
		return new ExchangeOptions(this.permitTimeout, this.requestStreamUsage, queue, this.retrying);
	}

	public ExchangeOptions withRetrying(boolean retrying) {
		return new ExchangeOptions(this.permitTimeout, this.requestStreamUsage, this.queue, retrying);
	}

}
