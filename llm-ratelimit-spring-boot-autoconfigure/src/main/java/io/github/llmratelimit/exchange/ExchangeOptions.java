package io.github.llmratelimit.exchange;

import java.time.Duration;

/**
 * How the exchanges with one provider are handled.
 *
 * @param permitTimeout how long a response whose body nobody reads keeps its permit
 * @param requestStreamUsage whether streams are asked for their usage where the request
 * does not say and the dialect allows it
 */
public record ExchangeOptions(Duration permitTimeout, boolean requestStreamUsage) {

	/** Ten minutes, and requests are sent as they are. */
	public static final ExchangeOptions DEFAULT = new ExchangeOptions(Duration.ofMinutes(10), false);

}
