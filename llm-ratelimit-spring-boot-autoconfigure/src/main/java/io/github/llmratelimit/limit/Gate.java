package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.ClosingRules;
import io.github.llmratelimit.ClosingRules.Rung;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LimitScope;
import org.jspecify.annotations.Nullable;

/**
 * Whether a level lets calls through. Refusals close it, for longer the more bursts of
 * them follow one another; then it opens by and by: a few calls, after some seconds or a
 * second burst only one, and about twice as many with each response. Not thread-safe.
 */
final class Gate {

	private static final long RAMP_FROM = TimeUnit.SECONDS.toNanos(5);

	/** A crowd that was away for so long does not come back at once. */
	private static final long SHORT_RAMP_FROM = TimeUnit.SECONDS.toNanos(1);

	private static final int SHORT_RAMP_START = 8;

	/** So long without a refusal is as good as a response. */
	private static final long RAMP_STEP = TimeUnit.SECONDS.toNanos(1);

	private static final int RAMP_LENGTH = 32;

	/** Providers state moments as far away as they like. */
	private static final Duration LONGEST = Duration.ofDays(365);

	/** Not the provider's words: they may repeat the key. */
	private static final String KEY_REJECTED = "key rejected";

	private static final long NEVER = Long.MAX_VALUE;

	private final ClosingRules rules;

	private final LimitScope scope;

	/** Of the gate of a single key: its id. */
	private final @Nullable String key;

	/* By a person: no refusal, probe or success ends it. */
	private long pausedUntil = Long.MIN_VALUE;

	private @Nullable String pausedBecause;

	private State closedAs = State.OPEN;

	private long until = Long.MIN_VALUE;

	private @Nullable String cause;

	private String outOfServiceBy = BlockedBy.QUOTA;

	private long probeAt = NEVER;

	private long refusedAt = Long.MIN_VALUE;

	private int consecutive;

	private int quotaRefusals;

	private boolean reopening;

	private boolean wasLong;

	/* Drawn once for a burst: the longest of many draws would be the same for all. */
	private double spread;

	private int credits;

	private int admitted;

	private long lastAdmittedAt;

	Gate(ClosingRules rules, LimitScope scope) {
		this(rules, scope, null);
	}

	private Gate(ClosingRules rules, LimitScope scope, @Nullable String key) {
		this.rules = rules;
		this.scope = scope;
		this.key = key;
	}

	/** A single key is accepted or it is not: it needs no ramp. */
	static Gate ofKey(ClosingRules rules, LimitScope account, String key) {
		return new Gate(new ClosingRules(rules.scope(), rules.ladder(), rules.recheckAfter(), false), account, key);
	}

	/** What a call has to wait for or fails by, {@code null} if it may go. */
	@Nullable Verdict check(long now) {
		if (isPaused(now)) {
			BlockedBy pause = blockedBy(BlockedBy.PAUSE);
			return (this.pausedUntil == NEVER) ? Verdict.waitForRelease(pause)
					: Verdict.waitFor(this.pausedUntil - now, pause);
		}
		if (isClosed(now)) {
			return (this.probeAt <= now) ? null : closed(Math.min(this.until, this.probeAt) - now);
		}
		long left = (this.reopening && this.credits == 0) ? this.lastAdmittedAt + RAMP_STEP - now : 0;
		return (left > 0) ? Verdict.waitFor(left, blockedBy(BlockedBy.REOPENING)) : null;
	}

	private Verdict closed(long nanos) {
		return switch (this.closedAs) {
			case OUT_OF_SERVICE -> Verdict.outOfService(nanos, blockedBy(this.outOfServiceBy));
			case PAUSED -> Verdict.waitFor(nanos, blockedBy(BlockedBy.PAUSE));
			default -> Verdict.waitFor(nanos, blockedBy(BlockedBy.COOLDOWN));
		};
	}

	private BlockedBy blockedBy(String name) {
		return new BlockedBy(this.scope.account(), this.scope.modelGroup(), name, null);
	}

	/**
	 * Let a call through.
	 * @param now the current time
	 * @return whether it goes to see if the level is open again
	 */
	boolean take(long now) {
		if (isClosed(now)) {
			this.probeAt = now + this.rules.recheckAfter().toNanos();
			return true;
		}
		return this.reopening && takeOfRamp(now);
	}

	private boolean takeOfRamp(long now) {
		if (this.credits == 0) {
			this.credits = this.admitted;
			this.reopening = this.admitted < RAMP_LENGTH;
		}
		this.credits--;
		this.admitted++;
		this.lastAdmittedAt = now;
		return this.wasLong && this.admitted == 1;
	}

	/** A response has come; if it is a refusal, that follows. */
	void answered(long admittedAt) {
		if (this.reopening && admittedAt > this.refusedAt) {
			this.credits += 2;
			this.reopening = this.admitted < RAMP_LENGTH;
		}
	}

	/**
	 * A call has succeeded.
	 * @param admittedAt when it was admitted
	 * @return what has changed, {@code null} if nothing has
	 */
	@Nullable LevelChange succeeded(long admittedAt) {
		if (admittedAt <= this.refusedAt) {
			return null;
		}
		this.consecutive = 0;
		this.quotaRefusals = 0;
		if (this.closedAs == State.OPEN) {
			return null;
		}
		this.closedAs = State.OPEN;
		this.until = Long.MIN_VALUE;
		this.probeAt = NEVER;
		return change(State.OPEN, null, false);
	}

	/**
	 * A call was refused because of a rate or for want of capacity. Refusals of calls
	 * that were admitted before the last one are of the same burst.
	 * @param cooldown how long to close the level
	 * @param cause why
	 * @param admittedAt when the call was admitted
	 * @param now the current time
	 * @return what has changed, {@code null} if nothing has
	 */
	@Nullable LevelChange refused(Cooldown cooldown, @Nullable String cause, long admittedAt, long now) {
		boolean sameBurst = admittedAt <= this.refusedAt;
		Rung rung = null;
		if (!sameBurst) {
			this.refusedAt = now;
			this.consecutive++;
			this.spread = cooldown.share();
			rung = this.rules.rungAfter(this.consecutive);
		}
		Cooldown lasting = (rung != null) ? cooldown.atLeast(rung.pause()) : cooldown;
		State state = (lasting != cooldown) ? State.PAUSED : State.COOLING_DOWN;
		boolean longer = close(state, lasting.withShare(this.spread).length(), cause, now);
		boolean alert = rung != null && rung.alert();
		return (longer && !sameBurst || alert) ? change(this.closedAs, left(now), alert) : null;
	}

	/**
	 * A quota is used up. Without a known reset one call alone is not believed.
	 * @param reset when it is reset, {@code null} if unknown
	 */
	@Nullable LevelChange quotaExhausted(@Nullable Duration reset, @Nullable String cause, long now) {
		this.quotaRefusals++;
		if (reset == null && this.quotaRefusals < 2) {
			return null;
		}
		return outOfService((reset != null) ? reset : LONGEST, cause,
				(this.key != null) ? BlockedBy.KEY_QUOTA : BlockedBy.QUOTA, now);
	}

	@Nullable LevelChange banned(@Nullable String cause, long now) {
		return outOfService(LONGEST, cause, BlockedBy.BAN, now);
	}

	/**
	 * The key was not accepted. What an older call says is known, or out of date.
	 * @param admittedAt when the call was admitted
	 */
	@Nullable LevelChange keyRejected(long admittedAt, long now) {
		return (admittedAt > this.refusedAt) ? outOfService(LONGEST, KEY_REJECTED, BlockedBy.KEY, now) : null;
	}

	private @Nullable LevelChange outOfService(Duration length, @Nullable String cause, String by, long now) {
		this.refusedAt = now;
		boolean news = this.closedAs != State.OUT_OF_SERVICE;
		this.outOfServiceBy = by;
		close(State.OUT_OF_SERVICE, length, cause, now);
		return news ? change(State.OUT_OF_SERVICE, left(now), true) : null;
	}

	/**
	 * Close until it is resumed, whatever calls find out.
	 * @param length how long at most, {@code null} for any time
	 * @param cause why
	 * @param now the current time
	 * @return what has changed
	 */
	LevelChange pause(@Nullable Duration length, String cause, long now) {
		this.pausedUntil = (length != null) ? now + length.toNanos() : NEVER;
		this.pausedBecause = cause;
		return change(now);
	}

	/**
	 * End a pause.
	 * @return what has changed, {@code null} if it was not paused
	 */
	@Nullable LevelChange resume(long now) {
		if (!isPaused(now)) {
			return null;
		}
		this.pausedUntil = Long.MIN_VALUE;
		return change(now);
	}

	private boolean isPaused(long now) {
		return this.pausedUntil > now;
	}

	private LevelChange change(long now) {
		return new LevelChange(this.scope, this.key, state(now), cause(now), closedFor(now), this.consecutive, false);
	}

	/** Only ever closes for longer. */
	private boolean close(State state, Duration length, @Nullable String cause, long now) {
		long nanos = ((length.compareTo(LONGEST) < 0) ? length : LONGEST).toNanos();
		if (now + nanos <= this.until) {
			return false;
		}
		this.until = now + nanos;
		this.closedAs = state;
		this.cause = cause;
		long recheck = this.rules.recheckAfter().toNanos();
		this.probeAt = (nanos > recheck) ? now + recheck : NEVER;
		this.wasLong = nanos >= RAMP_FROM;
		boolean carefully = this.wasLong || this.consecutive > 1;
		this.reopening = this.rules.ramp() && (this.reopening || carefully || nanos >= SHORT_RAMP_FROM);
		this.credits = carefully ? 1 : SHORT_RAMP_START;
		this.admitted = 0;
		return nanos > 0;
	}

	private boolean isClosed(long now) {
		return this.until > now;
	}

	/**
	 * Whether nothing would be lost with it: it is open, and what was refused has either
	 * been followed by a success or is long ago. What could have been checked again for
	 * so long is as good as open.
	 */
	boolean isIdle(long now) {
		boolean recovered = !isClosed(now) && !this.reopening && this.consecutive == 0;
		long closedUntil = Math.min(this.until, this.probeAt);
		return recovered || Math.max(this.refusedAt, closedUntil) <= now - Level.REMEMBERED_FOR;
	}

	private Duration left(long now) {
		return Duration.ofNanos(Math.max(0, this.until - now));
	}

	private LevelChange change(State state, @Nullable Duration closedFor, boolean alert) {
		return new LevelChange(this.scope, this.key, state, (state != State.OPEN) ? this.cause : null, closedFor,
				this.consecutive, alert);
	}

	State state(long now) {
		if (isPaused(now)) {
			return State.PAUSED;
		}
		if (isClosed(now)) {
			return this.closedAs;
		}
		return (this.reopening && this.closedAs != State.OPEN) ? State.PROBING : State.OPEN;
	}

	@Nullable Duration closedFor(long now) {
		if (isPaused(now)) {
			return (this.pausedUntil != NEVER) ? Duration.ofNanos(this.pausedUntil - now) : null;
		}
		return isClosed(now) ? left(now) : null;
	}

	@Nullable String cause(long now) {
		if (isPaused(now)) {
			return this.pausedBecause;
		}
		return isClosed(now) ? this.cause : null;
	}

	/** The share by which the last burst was spread, 0 before the first. */
	double spread() {
		return this.spread;
	}

	int consecutive() {
		return this.consecutive;
	}

}
