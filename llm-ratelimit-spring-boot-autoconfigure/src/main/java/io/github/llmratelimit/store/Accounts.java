package io.github.llmratelimit.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.llmratelimit.ClosingRules.Scope;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.limit.AccountLimits;
import io.github.llmratelimit.limit.BlockedBy;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import io.github.llmratelimit.limit.WallTime;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of one provider, and which of them a claim goes to. Not thread-safe.
 */
final class Accounts {

	private final Map<String, AccountLimits> accounts = new LinkedHashMap<>();

	private final @Nullable AccountLimits only;

	private final AccountOrder order;

	private final boolean closesAll;

	Accounts(ProviderPlan plan, WallTime wallTime) {
		for (String account : plan.accounts().keySet()) {
			this.accounts.put(account, new AccountLimits(plan, account, wallTime));
		}
		this.order = new AccountOrder(plan);
		this.closesAll = plan.closing().scope() == Scope.PROVIDER;
		this.only = (this.accounts.size() == 1) ? this.accounts.values().iterator().next() : null;
	}

	AccountLimits of(Claim claim) {
		return (this.only != null) ? this.only : of(claim.scope().account());
	}

	/**
	 * Decide on one claim.
	 * @param claim the claim
	 * @param now the current time
	 * @return the decision
	 */
	Verdict reserve(Claim claim, long now) {
		return (this.only != null) ? this.only.reserve(claim, now) : reserveInAny(claim, new ArrayList<>(), now);
	}

	/**
	 * Decide on claims in order.
	 * @param claims the claims
	 * @param now the current time
	 * @return one verdict for each claim
	 */
	List<Verdict> reserve(List<Claim> claims, long now) {
		List<Verdict> verdicts = new ArrayList<>(claims.size());
		List<Verdict> refusals = new ArrayList<>();
		for (Claim claim : claims) {
			verdicts.add((this.only != null) ? reserveIn(this.only, claim, refusals, now)
					: reserveInAny(claim, refusals, now));
		}
		return verdicts;
	}

	/**
	 * Count a claim whatever the limits say, if no account allows it in the first that it
	 * may go to.
	 * @return what would have been decided
	 */
	Verdict count(Claim claim, long now) {
		Verdict verdict = reserve(claim, now);
		if (!verdict.isGranted()) {
			of(accountsFor(claim, now).iterator().next()).count(claim, now);
			taken(claim);
		}
		return verdict;
	}

	private static Verdict reserveIn(AccountLimits account, Claim claim, List<Verdict> refusals, long now) {
		Verdict heldBack = heldBack(claim, account.name(), refusals);
		if (heldBack != null) {
			return heldBack;
		}
		Verdict verdict = account.reserve(claim, now);
		if (!verdict.isGranted()) {
			refusals.add(verdict);
		}
		return verdict;
	}

	/*
	 * The first account that allows the claim is taken. If none does, what each of them
	 * waits for is kept from later claims, and whichever ends first is the answer.
	 */
	private Verdict reserveInAny(Claim claim, List<Verdict> earlierRefusals, long now) {
		List<Verdict> refusals = new ArrayList<>(this.accounts.size());
		for (String account : accountsFor(claim, now)) {
			Verdict heldBack = heldBack(claim, account, earlierRefusals);
			Verdict verdict = (heldBack != null) ? heldBack : of(account).reserve(claim, now);
			if (verdict.isGranted()) {
				taken(claim);
				return verdict;
			}
			refusals.add(verdict);
		}
		earlierRefusals.addAll(refusals);
		return refusals.stream().reduce(Verdict::or).orElseThrow();
	}

	private Collection<String> accountsFor(Claim claim, long now) {
		return this.order.of(claim, (account) -> of(account).load(claim, now));
	}

	private void taken(Claim claim) {
		this.order.taken(claim.scope().account());
	}

	private static @Nullable Verdict heldBack(Claim claim, String account, List<Verdict> refusals) {
		for (Verdict refusal : refusals) {
			BlockedBy blockedBy = Objects.requireNonNull(refusal.blockedBy());
			if (refusal.kind() != Verdict.Kind.NEVER_FITS && blockedBy.account().equals(account)
					&& blockedBy.holdsBack(claim)) {
				return refusal;
			}
		}
		return null;
	}

	/**
	 * React to a refusal.
	 * @return what has changed
	 */
	List<LevelEvent> refuse(Claim claim, ThrottleSignal signal, Cooldown cooldown, long now) {
		AccountLimits refused = of(claim);
		List<LevelEvent> events = new ArrayList<>(refused.refuse(claim, signal, cooldown, now));
		if (this.closesAll && !cooldown.isNone()) {
			for (AccountLimits account : this.accounts.values()) {
				events.addAll((account != refused) ? account.coolDown(signal, cooldown, now) : List.of());
			}
		}
		return events;
	}

	Map<String, LevelSnapshot> snapshot(long now) {
		Map<String, LevelSnapshot> snapshots = new LinkedHashMap<>();
		this.accounts.forEach((account, limits) -> snapshots.put(account, limits.snapshot(now)));
		return snapshots;
	}

	/**
	 * The accounts of a scope.
	 * @param scope its account may stand for all
	 * @return their limits
	 */
	Stream<AccountLimits> in(LimitScope scope) {
		return scope.isAnyAccount() ? this.accounts.values().stream() : Stream.of(of(scope.account()));
	}

	private AccountLimits of(String account) {
		AccountLimits limits = this.accounts.get(account);
		if (limits == null) {
			throw new IllegalArgumentException(
					"account: " + account + " (expected: one of " + this.accounts.keySet() + ")");
		}
		return limits;
	}

}
