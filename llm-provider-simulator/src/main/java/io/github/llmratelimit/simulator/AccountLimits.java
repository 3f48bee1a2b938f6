package io.github.llmratelimit.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.simulator.TokenLimits.Cost;
import io.github.llmratelimit.simulator.dialect.Levels;
import io.github.llmratelimit.simulator.dialect.Refusal;
import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
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

	private final TokenLimits tokens;

	private int maxConcurrency;

	private int inFlight;

	AccountLimits(SimulatorOptions options, long start) {
		long minuteNanos = options.minute().toNanos();
		this.minute = new ArrivalWindow(requestLimit(options), minuteNanos);
		this.windows.add(this.minute);
		if (options.slices() > 1) {
			this.windows.add(new ArrivalWindow(sliceLimit(options), minuteNanos / options.slices()));
		}
		this.tokens = new TokenLimits(options, start);
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
		this.tokens.take(new Cost(used.tokens(), used.tokens()), start);
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
		this.tokens.change(options, now);
	}

	/** Decides about an arriving call, without taking anything for it yet. */
	@Nullable Refusal refuse(Cost cost, long now) {
		Cause cause = causeToRefuse(cost, now);
		if (cause == null) {
			return null;
		}
		noteRefusal(cause, now);
		return refusal(cause, cost, now);
	}

	private @Nullable Cause causeToRefuse(Cost cost, long now) {
		if (banNanos(now) > 0) {
			return Cause.BANNED;
		}
		if (this.inFlight >= this.maxConcurrency) {
			return Cause.CONCURRENCY;
		}
		if (this.tokens.tooSmallFor(cost).isPresent()) {
			return Cause.TOO_LARGE;
		}
		return limitThatFreesLast(waits(cost, now));
	}

	private static @Nullable Cause limitThatFreesLast(Map<Cause, Long> waits) {
		long longest = Collections.max(waits.values());
		return waits.entrySet()
			.stream()
			.filter((wait) -> longest > 0 && wait.getValue() == longest)
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(null);
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

	private Refusal refusal(Cause cause, Cost cost, long now) {
		Levels levels = levels(now);
		return switch (cause) {
			case REQUESTS -> new Refusal(cause, longestWait(cost, now), this.minute.limit(),
					Math.min(this.minute.used(now), this.minute.limit()), 1, levels);
			case TOKENS, INPUT_TOKENS, OUTPUT_TOKENS -> byTokens(cause, cause, cost, longestWait(cost, now), now);
			case TOO_LARGE -> byTokens(cause, this.tokens.tooSmallFor(cost).orElseThrow(), cost, 0, now);
			case CONCURRENCY -> new Refusal(cause, 0, this.maxConcurrency, this.inFlight, 1, levels);
			case BANNED -> new Refusal(cause, banNanos(now), 0, 0, 1, levels);
		};
	}

	private Refusal byTokens(Cause cause, Cause limited, Cost cost, long wait, long now) {
		TokenLimit limit = this.tokens.get(limited);
		return new Refusal(cause, wait, limit.limit(), limit.used(now), cost.asked(limited), levels(now));
	}

	TokenLimit.@Nullable Charge admit(Cost cost, long now) {
		this.inFlight++;
		countRequest(now);
		return this.tokens.take(cost, now);
	}

	void leave(int outputTokens, long now) {
		this.inFlight--;
		this.tokens.takeOutput(outputTokens, now);
	}

	void settle(TokenLimit.@Nullable Charge charge, long tokens, long now) {
		this.tokens.settle(charge, tokens, now);
	}

	Levels levels(long now) {
		return new Levels(requestLevel(now), this.tokens.level(Cause.TOKENS, now),
				this.tokens.level(Cause.INPUT_TOKENS, now), this.tokens.level(Cause.OUTPUT_TOKENS, now));
	}

	private Levels.@Nullable Level requestLevel(long now) {
		if (this.minute.limit() == UNLIMITED) {
			return null;
		}
		return Levels.Level.of(this.minute.limit(), this.minute.used(now), this.minute.resetNanos(now));
	}

	private void countRequest(long now) {
		this.windows.forEach((window) -> window.add(now));
	}

	private Map<Cause, Long> waits(Cost cost, long now) {
		Map<Cause, Long> waits = new EnumMap<>(this.tokens.waits(cost, now));
		waits.put(Cause.REQUESTS, requestWait(now));
		return waits;
	}

	private long longestWait(Cost cost, long now) {
		return Collections.max(waits(cost, now).values());
	}

	private long requestWait(long now) {
		return this.windows.stream().mapToLong((window) -> window.waitNanos(now)).max().orElse(0);
	}

	private long banNanos(long now) {
		return (this.ban != null) ? this.ban.remainingNanos(now) : 0;
	}

}
