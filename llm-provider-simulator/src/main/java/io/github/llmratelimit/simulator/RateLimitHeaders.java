package io.github.llmratelimit.simulator;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.llmratelimit.simulator.Levels.Level;
import io.github.llmratelimit.simulator.SimulatorOptions.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The rate-limit headers of one response.
 */
final class RateLimitHeaders {

	private final Headers kind;

	private final Map<String, String> headers = new LinkedHashMap<>();

	private RateLimitHeaders(Headers kind) {
		this.kind = kind;
	}

	static Map<String, String> answered(Headers kind, Levels levels) {
		return new RateLimitHeaders(kind).levels(levels).headers;
	}

	static Map<String, String> refused(Headers kind, Levels levels, long waitNanos) {
		return new RateLimitHeaders(kind).levels(levels).hint(waitNanos).headers;
	}

	private RateLimitHeaders levels(Levels levels) {
		if (this.kind == Headers.OPENAI) {
			level("requests", levels.requests());
			level("tokens", levels.tokens());
		}
		return this;
	}

	private void level(String what, @Nullable Level level) {
		if (level != null) {
			this.headers.put("x-ratelimit-limit-" + what, Long.toString(level.limit()));
			this.headers.put("x-ratelimit-remaining-" + what, Long.toString(level.remaining()));
			this.headers.put("x-ratelimit-reset-" + what, GoDuration.format(level.resetNanos()));
		}
	}

	private RateLimitHeaders hint(long waitNanos) {
		if (waitNanos > 0 && this.kind == Headers.OPENAI) {
			this.headers.put("retry-after-ms", Long.toString(GoDuration.roundUp(waitNanos, 1_000_000)));
		}
		if (waitNanos > 0 && this.kind != Headers.NONE) {
			this.headers.put("retry-after", Long.toString(GoDuration.roundUp(waitNanos, 1_000_000_000)));
		}
		return this;
	}

}
