package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.github.llmratelimit.simulator.dialect.Refusal.Cause;

/**
 * What happened at the provider: one entry per admitted call, counts of the others. Not
 * thread-safe. It knows nothing of the limits, so that it can judge their enforcement.
 * All times are nanoseconds since the provider's start.
 */
final class CallLog {

	private final Map<String, AccountLog> accounts = new LinkedHashMap<>();

	private final Map<Cause, Integer> refused = new EnumMap<>(Cause.class);

	private final List<Integer> arrivalsPerSecond = new ArrayList<>();

	private long firstArrival = -1;

	private int unauthorized;

	private int scripted;

	void arrived(long at) {
		if (this.firstArrival < 0) {
			this.firstArrival = at;
		}
		int second = (int) Duration.ofNanos(at).toSeconds();
		while (this.arrivalsPerSecond.size() <= second) {
			this.arrivalsPerSecond.add(0);
		}
		this.arrivalsPerSecond.set(second, this.arrivalsPerSecond.get(second) + 1);
	}

	Entry admitted(String account, long tokens, boolean fails, long at) {
		return this.accounts.computeIfAbsent(account, (name) -> new AccountLog()).add(at, tokens, fails);
	}

	void refused(Cause cause) {
		this.refused.merge(cause, 1, Integer::sum);
	}

	void unauthorized() {
		this.unauthorized++;
	}

	void scripted() {
		this.scripted++;
	}

	Ledger ledger(Duration minute) {
		long minuteNanos = minute.toNanos();
		List<Entry> all = this.accounts.values().stream().flatMap((account) -> account.calls.stream()).toList();
		return new Ledger(all.size(), count(Cause.REQUESTS),
				count(Cause.TOKENS, Cause.INPUT_TOKENS, Cause.OUTPUT_TOKENS, Cause.TOO_LARGE), count(Cause.CONCURRENCY),
				count(Cause.BANNED), this.unauthorized, this.scripted,
				(int) all.stream().filter((call) -> call.fails).count(),
				all.stream().mapToLong((call) -> call.tokens).sum(),
				(int) highestOfAccounts((account) -> highestInWindow(account.calls, minuteNanos, (call) -> 1)),
				highestOfAccounts((account) -> highestInWindow(account.calls, minuteNanos, (call) -> call.tokens)),
				(int) highestOfAccounts((account) -> account.highestConcurrency),
				Duration.ofNanos(Math.max(0, this.firstArrival)), last(all, (call) -> call.arrivedAt),
				last(all, (call) -> call.ended ? call.endedAt : 0), this.arrivalsPerSecond);
	}

	private int count(Cause... causes) {
		return Stream.of(causes).mapToInt((cause) -> this.refused.getOrDefault(cause, 0)).sum();
	}

	private long highestOfAccounts(ToLongFunction<AccountLog> highest) {
		return this.accounts.values().stream().mapToLong(highest).max().orElse(0);
	}

	private static Duration last(List<Entry> calls, ToLongFunction<Entry> time) {
		return Duration.ofNanos(calls.stream().mapToLong(time).max().orElse(0));
	}

	/** The most within any window that ends with an arrival; no other can hold more. */
	private static long highestInWindow(List<Entry> calls, long windowNanos, ToLongFunction<Entry> amount) {
		long highest = 0;
		long sum = 0;
		int oldest = 0;
		for (Entry call : calls) {
			sum += amount.applyAsLong(call);
			while (call.arrivedAt - calls.get(oldest).arrivedAt >= windowNanos) {
				sum -= amount.applyAsLong(calls.get(oldest++));
			}
			highest = Math.max(highest, sum);
		}
		return highest;
	}

	/** The calls of one account, in the order of their arrival. */
	private static final class AccountLog {

		final List<Entry> calls = new ArrayList<>();

		int inProgress;

		int highestConcurrency;

		Entry add(long at, long tokens, boolean fails) {
			Entry call = new Entry(this, at, tokens, fails);
			this.calls.add(call);
			this.inProgress++;
			this.highestConcurrency = Math.max(this.highestConcurrency, this.inProgress);
			return call;
		}

	}

	/** One admitted call. */
	static final class Entry {

		private final AccountLog account;

		final long arrivedAt;

		final boolean fails;

		long tokens;

		boolean ended;

		long endedAt;

		Entry(AccountLog account, long arrivedAt, long tokens, boolean fails) {
			this.account = account;
			this.arrivedAt = arrivedAt;
			this.tokens = tokens;
			this.fails = fails;
		}

		/** Notes the end; false if the call had ended before. */
		boolean end(long at) {
			boolean first = !this.ended;
			if (first) {
				this.ended = true;
				this.endedAt = at;
				this.account.inProgress--;
			}
			return first;
		}

	}

}
