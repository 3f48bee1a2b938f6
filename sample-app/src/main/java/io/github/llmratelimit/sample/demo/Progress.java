package io.github.llmratelimit.sample.demo;

import java.time.Duration;
import java.util.Locale;

/**
 * How far a strategy has come.
 *
 * @param name name of the strategy
 * @param calls how many calls there are
 * @param answered how many have been answered
 * @param refused how often the provider said 429
 * @param elapsed time since the start
 */
record Progress(String name, int calls, int answered, int refused, Duration elapsed) {

	private static final int WIDTH = 30;

	/** A bar with the rate, the refusals and the time it will take. */
	String bar() {
		int filled = WIDTH * this.answered / this.calls;
		return String.format(Locale.ROOT, "%-18s [%s%s] %4d/%d %6.1f/s  429s %-6d ETA %s", this.name,
				"#".repeat(filled), ".".repeat(WIDTH - filled), this.answered, this.calls, perSecond(), this.refused,
				timeLeft());
	}

	private double perSecond() {
		return this.answered / seconds();
	}

	private String timeLeft() {
		return (this.answered > 0) ? Math.round((this.calls - this.answered) / perSecond()) + " s" : "-";
	}

	private double seconds() {
		return Math.max(1, this.elapsed.toMillis()) / 1000.0;
	}

}
