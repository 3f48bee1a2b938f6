package io.github.llmratelimit.benchmarks.exchange;

import java.util.concurrent.atomic.AtomicLong;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that every prompt was estimated and every usage read. Thread-safe.
 */
final class WorkCheck implements RateLimitListener, Variant.Check {

	private final AtomicLong estimated = new AtomicLong();

	private final AtomicLong used = new AtomicLong();

	private final long estimate;

	/**
	 * Create a check.
	 * @param estimate the tokens that every prompt is measured at
	 */
	WorkCheck(long estimate) {
		this.estimate = estimate;
	}

	@Override
	public void onAdmitted(Permit permit) {
		this.estimated.addAndGet(permit.call().tokens().measuredInput());
	}

	@Override
	public void onCompleted(Permit permit, CallOutcome outcome, @Nullable TokenUsage usage) {
		this.used.addAndGet((outcome == CallOutcome.SUCCESS && usage != null) ? usage.total() : 0);
	}

	@Override
	public void verify(long calls) {
		verify("measured", this.estimated.getAndSet(0), calls * this.estimate);
		verify("used", this.used.getAndSet(0), calls * ExchangeServer.USAGE);
	}

	private static void verify(String what, long tokens, long expected) {
		if (tokens != expected) {
			throw new IllegalStateException("%s tokens: %d (expected: %d)".formatted(what, tokens, expected));
		}
	}

}
