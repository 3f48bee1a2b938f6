package io.github.llmratelimit.simulator;

import java.util.ArrayList;
import java.util.List;

import io.github.llmratelimit.simulator.Decision.Cause;
import io.github.llmratelimit.simulator.Decision.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * All limits of one account. Not thread-safe. A call takes from all of them or from none.
 */
final class AccountLimits {

	private static final int UNLIMITED = Integer.MAX_VALUE;

	private final ArrivalWindow minute;

	private final List<ArrivalWindow> windows = new ArrayList<>();

	private final boolean refusedCount;

	private final @Nullable BanWatch ban;

	private @Nullable TokenLimit tokens;

	private int maxConcurrency;

	private int inFlight;

	AccountLimits(SimulatorOptions options, long start) {
		long minuteNanos = options.minute().toNanos();
		this.minute = new ArrivalWindow(requestLimit(options), minuteNanos);
		this.windows.add(this.minute);
		if (options.slices() > 1) {
			this.windows.add(new ArrivalWindow(sliceLimit(options), minuteNanos / options.slices()));
		}
		this.tokens = TokenLimit.of(options, start);
		this.maxConcurrency = concurrencyLimit(options);
		this.refusedCount = options.refusedCount();
		SimulatorOptions.Ban ban = options.ban();
		this.ban = (ban != null) ? new BanWatch(ban, start) : null;
		use(options.usedBefore(), start);
	}

	private void use(SimulatorOptions.UsedBefore used, long start) {
		for (int i = 0; i < used.requests(); i++) {
			countRequest(start);
		}
		takeTokens(used.tokens(), start);
	}

	private static int requestLimit(SimulatorOptions options) {
		Integer limit = options.requestsPerMinute();
		return (limit != null) ? limit : UNLIMITED;
	}

	private static int sliceLimit(SimulatorOptions options) {
		return Math.max(1, requestLimit(options) / options.slices());
	}

	private static int concurrencyLimit(SimulatorOptions options) {
		Integer limit = options.maxConcurrency();
		return (limit != null) ? limit : UNLIMITED;
	}

	void changeLimits(SimulatorOptions options, long now) {
		this.windows.forEach(
				(window) -> window.changeLimit((window == this.minute) ? requestLimit(options) : sliceLimit(options)));
		this.maxConcurrency = concurrencyLimit(options);
		Long tokensPerMinute = options.tokensPerMinute();
		if (this.tokens != null && tokensPerMinute != null) {
			this.tokens.changeLimit(tokensPerMinute, now);
		}
		else {
			this.tokens = TokenLimit.of(options, now);
		}
	}

	/** Decides about an arriving call, without taking anything for it yet. */
	@Nullable Refusal refuse(long charge, long now) {
		Cause cause = causeToRefuse(charge, now);
		if (cause == null) {
			return null;
		}
		noteRefusal(cause, now);
		return refusal(cause, charge, now);
	}

	private @Nullable Cause causeToRefuse(long charge, long now) {
		if (banNanos(now) > 0) {
			return Cause.BANNED;
		}
		if (this.inFlight >= this.maxConcurrency) {
			return Cause.CONCURRENCY;
		}
		if (this.tokens != null && charge > this.tokens.limit()) {
			return Cause.TOO_LARGE;
		}
		return limitThatFreesLast(requestWait(now), tokenWait(charge, now));
	}

	private static @Nullable Cause limitThatFreesLast(long requestWait, long tokenWait) {
		if (requestWait == 0 && tokenWait == 0) {
			return null;
		}
		return (requestWait >= tokenWait) ? Cause.REQUESTS : Cause.TOKENS;
	}

	// Comes before the hint is computed: a refused call that counts makes the next wait
	// longer.
	private void noteRefusal(Cause cause, long now) {
		if (this.refusedCount) {
			countRequest(now);
		}
		if (this.ban != null && cause != Cause.BANNED) {
			this.ban.noteViolation(now);
		}
	}

	private Refusal refusal(Cause cause, long charge, long now) {
		Levels levels = levels(now);
		return switch (cause) {
			case REQUESTS -> new Refusal(cause, Math.max(requestWait(now), tokenWait(charge, now)), this.minute.limit(),
					Math.min(this.minute.used(now), this.minute.limit()), 1, levels);
			case TOKENS -> new Refusal(cause, Math.max(requestWait(now), tokenWait(charge, now)), tokenLimit(),
					tokensUsed(now), charge, levels);
			case TOO_LARGE -> new Refusal(cause, 0, tokenLimit(), tokensUsed(now), charge, levels);
			case CONCURRENCY -> new Refusal(cause, 0, this.maxConcurrency, this.inFlight, 1, levels);
			case BANNED -> new Refusal(cause, banNanos(now), 0, 0, 1, levels);
		};
	}

	TokenLimit.@Nullable Charge admit(long charge, long now) {
		this.inFlight++;
		countRequest(now);
		return takeTokens(charge, now);
	}

	void leave() {
		this.inFlight--;
	}

	void settle(TokenLimit.@Nullable Charge charge, long tokens, long now) {
		if (this.tokens != null && charge != null) {
			this.tokens.settle(charge, tokens, now);
		}
	}

	Levels levels(long now) {
		return new Levels(requestLevel(now), tokenLevel(now));
	}

	private Levels.@Nullable Level requestLevel(long now) {
		if (this.minute.limit() == UNLIMITED) {
			return null;
		}
		return Levels.Level.of(this.minute.limit(), this.minute.used(now), this.minute.resetNanos(now));
	}

	private Levels.@Nullable Level tokenLevel(long now) {
		if (this.tokens == null) {
			return null;
		}
		return Levels.Level.of(this.tokens.limit(), this.tokens.used(now), this.tokens.resetNanos(now));
	}

	private void countRequest(long now) {
		this.windows.forEach((window) -> window.add(now));
	}

	private TokenLimit.@Nullable Charge takeTokens(long tokens, long now) {
		return (this.tokens != null) ? this.tokens.take(tokens, now) : null;
	}

	private long requestWait(long now) {
		return this.windows.stream().mapToLong((window) -> window.waitNanos(now)).max().orElse(0);
	}

	private long tokenWait(long charge, long now) {
		return (this.tokens != null) ? this.tokens.waitNanos(charge, now) : 0;
	}

	private long tokenLimit() {
		return (this.tokens != null) ? this.tokens.limit() : Long.MAX_VALUE;
	}

	private long tokensUsed(long now) {
		return (this.tokens != null) ? this.tokens.used(now) : 0;
	}

	private long banNanos(long now) {
		return (this.ban != null) ? this.ban.remainingNanos(now) : 0;
	}

}
