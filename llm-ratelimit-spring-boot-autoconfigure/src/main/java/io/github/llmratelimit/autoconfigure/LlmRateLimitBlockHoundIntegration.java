package io.github.llmratelimit.autoconfigure;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Tells BlockHound, where an application uses it, of the one place that may yield: the
 * lock around a few dozen nanoseconds of arithmetic.
 */
public final class LlmRateLimitBlockHoundIntegration implements BlockHoundIntegration {

	@Override
	public void applyTo(BlockHound.Builder builder) {
		builder.allowBlockingCallsInside("io.github.llmratelimit.store.ShortLock", "lockContended");
	}

}
