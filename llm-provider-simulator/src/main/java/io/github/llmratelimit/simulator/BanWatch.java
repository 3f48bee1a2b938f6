package io.github.llmratelimit.simulator;

/**
 * Bans an account that keeps calling although it is refused. Not thread-safe. Refusals
 * during a ban do not prolong it.
 */
final class BanWatch {

	private final ArrivalWindow violations;

	private final long lengthNanos;

	private long bannedUntil;

	BanWatch(SimulatorOptions.Ban ban, long now) {
		this.violations = new ArrivalWindow(ban.violations(), ban.window().toNanos());
		this.lengthNanos = ban.length().toNanos();
		this.bannedUntil = now;
	}

	/** How long the ban still lasts; 0 if there is none. */
	long remainingNanos(long now) {
		return Math.max(0, this.bannedUntil - now);
	}

	void noteViolation(long now) {
		this.violations.add(now);
		if (this.violations.used(now) >= this.violations.limit()) {
			this.bannedUntil = now + this.lengthNanos;
		}
	}

}
