package io.github.llmratelimit.autoconfigure;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Tells BlockHound, where an application uses it, of the places that may yield: the lock
 * around a few dozen nanoseconds of arithmetic, and the one around a queue of events.
 */
public final class LlmRateLimitBlockHoundIntegration implements BlockHoundIntegration {

	@Override
	public void applyTo(BlockHound.Builder builder) {
		builder.allowBlockingCallsInside("io.github.llmratelimit.store.ShortLock", "lockContended");
		builder.allowBlockingCallsInside("io.github.llmratelimit.alerts.Outbox", "add");
	}

}
