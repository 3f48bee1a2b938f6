package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.TokenUsage;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of a minute have used while no limit is known. A refusal shows that
 * there is one, and that it is about as large. Not thread-safe.
 */
final class UnlimitedUse {

	static final Duration PER = Duration.ofMinutes(1);

	/** Never reached, and far enough from an overflow. */
	private static final long NO_CEILING = Long.MAX_VALUE / 4;

	private final Map<Counted, SlidingWindow> windows = new EnumMap<>(Counted.class);

	UnlimitedUse() {
		this.windows.put(Counted.REQUESTS, new SlidingWindow(NO_CEILING, PER.toNanos(), 0));
		this.windows.put(Counted.TOKENS, new SlidingWindow(NO_CEILING, PER.toNanos(), 0));
	}

	void take(Claim claim, long now) {
		this.windows.forEach((counts, window) -> window.take(claim.amount(counts), now));
	}

	void settle(Claim claim, CallOutcome outcome, @Nullable TokenUsage usage, boolean givesBack) {
		this.windows.forEach((counts, window) -> window.correct(claim.correction(counts, outcome, usage, givesBack),
				claim.admittedAt()));
	}

	/** What others than the refused call have used in the last minute, at least 1. */
	long besides(Claim refused, Counted counts, long now) {
		SlidingWindow window = this.windows.get(counts);
		return (window != null) ? Math.max(1, window.used(now) - refused.amount(counts)) : 1;
	}

}
