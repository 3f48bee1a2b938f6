package io.github.llmratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.limit.AccountLimits;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one provider in the memory of this process. Thread-safe: one short lock,
 * under which nothing but arithmetic happens; the clock is read before it.
 */
final class LocalProviderLimits implements ProviderLimits {

	private final ShortLock lock = new ShortLock();

	private final Accounts accounts;

	private final TimeSource time;

	LocalProviderLimits(Accounts accounts, TimeSource time) {
		this.accounts = accounts;
		this.time = time;
	}

	@Override
	public Verdict tryReserve(Claim claim) {
		long now = this.time.nanoTime();
		this.lock.lock();
		try {
			return this.accounts.reserve(claim, now);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public CompletionStage<List<Verdict>> reserve(List<Claim> claims) {
		long now = this.time.nanoTime();
		this.lock.lock();
		try {
			return CompletableFuture.completedFuture(this.accounts.reserve(claims, now));
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public Verdict count(Claim claim) {
		long now = this.time.nanoTime();
		this.lock.lock();
		try {
			return this.accounts.count(claim, now);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public List<LevelChange> settle(Claim claim, CallOutcome outcome, @Nullable TokenUsage usage) {
		this.lock.lock();
		try {
			return this.accounts.of(claim).settle(claim, outcome, usage);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public List<LevelEvent> observe(Claim claim, ObservedLimits limits) {
		long now = this.time.nanoTime();
		this.lock.lock();
		try {
			return this.accounts.of(claim).observe(claim, limits, now);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public List<LevelEvent> refuse(Claim claim, ThrottleSignal signal, Cooldown cooldown) {
		long now = this.time.nanoTime();
		this.lock.lock();
		try {
			return this.accounts.refuse(claim, signal, cooldown, now);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public CompletionStage<Void> replace(LimitScope level, LimitPlan plan) {
		return locked((now) -> {
			this.accounts.in(level).forEach((account) -> account.replace(level.modelGroup(), plan, now));
			return null;
		});
	}

	@Override
	public CompletionStage<List<LevelEvent>> pause(LimitScope account, @Nullable Duration length, String cause) {
		return locked((now) -> events(account, (limits) -> limits.pause(length, cause, now)));
	}

	@Override
	public CompletionStage<List<LevelEvent>> resume(LimitScope account) {
		return locked((now) -> events(account, (limits) -> limits.resume(now)));
	}

	private List<LevelEvent> events(LimitScope account, Function<AccountLimits, List<LevelEvent>> action) {
		return this.accounts.in(account).map(action).flatMap(List::stream).toList();
	}

	/*
	 * For what is rare; what each call does is written out, as it is too short to wrap.
	 */
	private <T extends @Nullable Object> CompletionStage<T> locked(LongFunction<T> action) {
		long now = this.time.nanoTime();
		this.lock.lock();
		try {
			return CompletableFuture.completedFuture(action.apply(now));
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public CompletionStage<Map<String, LevelSnapshot>> snapshot() {
		long now = this.time.nanoTime();
		this.lock.lock();
		try {
			return CompletableFuture.completedFuture(this.accounts.snapshot(now));
		}
		finally {
			this.lock.unlock();
		}
	}

}
