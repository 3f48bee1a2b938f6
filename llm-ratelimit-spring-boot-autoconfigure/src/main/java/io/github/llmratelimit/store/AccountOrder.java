package io.github.llmratelimit.store;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

import io.github.llmratelimit.KeyPool;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.limit.Claim;

/**
 * In which order a claim tries the accounts of a provider. Not thread-safe.
 */
final class AccountOrder {

	private final ProviderPlan plan;

	/** Those with keys, in the order in which they had their last turn. */
	private final Set<String> turns;

	AccountOrder(ProviderPlan plan) {
		this.plan = plan;
		this.turns = new LinkedHashSet<>(plan.keys().accountsWithKeys());
	}

	/**
	 * The accounts that a claim may go to.
	 * @param claim the claim
	 * @param load how much an account is used
	 * @return names of accounts, the one to try first in front
	 */
	Collection<String> of(Claim claim, ToDoubleFunction<String> load) {
		if (!claim.scope().isAnyAccount() || this.turns.isEmpty()) {
			return this.plan.accountsFor(claim.scope());
		}
		KeyPool keys = this.plan.keys();
		return switch (keys.selection()) {
			case LEAST_WAIT -> sorted(load);
			case ROUND_ROBIN -> List.copyOf(this.turns);
			case RANDOM -> sorted((account) -> keys.random().getAsDouble());
		};
	}

	/* Equal ones stay in the order of their turns. */
	private List<String> sorted(ToDoubleFunction<String> by) {
		Map<String, Double> values = new HashMap<>();
		this.turns.forEach((account) -> values.put(account, by.applyAsDouble(account)));
		return this.turns.stream().sorted(Comparator.comparing(values::get)).toList();
	}

	/** An account was taken. */
	void taken(String account) {
		if (this.turns.remove(account)) {
			this.turns.add(account);
		}
	}

}
