package io.github.llmratelimit;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Everything that decides when a call to one provider may go.
 *
 * @param provider name of the provider
 * @param accounts limits of each account by its name, in the order in which they are
 * tried; at least one
 * @param keys the keys among which calls are spread
 * @param models model groups, the same in every account
 * @param queue how calls wait
 * @param givesBack whether the provider gives back tokens that were charged at admission
 * and not used; if not, only guesses are corrected by the usage of an answered call
 * @param learning how limits follow from announcements, {@code null} if they do not
 * @param closing what refusals do to the levels that calls share
 * @param adaptive how limits follow what the provider accepts, {@code null} if they do
 * not
 * @param shadow whether everything is only decided and counted, and nobody waits
 */
public record ProviderPlan(String provider, Map<String, LimitPlan> accounts, KeyPool keys, List<ModelGroup> models,
		QueueRules queue, boolean givesBack, @Nullable LimitLearning learning, ClosingRules closing,
		@Nullable AdaptiveRules adaptive, boolean shadow) {

	/** The account of providers that have only one. */
	public static final String DEFAULT_ACCOUNT = "default";

	/** The model group of models that have no limits of their own. */
	public static final String ANY_MODEL = "*";

	public ProviderPlan {
		accounts = Collections.unmodifiableMap(new LinkedHashMap<>(accounts));
		models = List.copyOf(models);
		if (accounts.isEmpty()) {
			throw new IllegalArgumentException(provider + ": no account (expected: at least one)");
		}
		for (String account : keys.accountsWithKeys()) {
			if (!accounts.containsKey(account)) {
				throw new IllegalArgumentException(
						provider + ": keys of account " + account + " (expected: one of " + accounts.keySet() + ")");
			}
		}
	}

	/**
	 * A provider with one account and the default queue.
	 * @param provider name of the provider
	 * @param plan limits of its account
	 * @param models model groups
	 * @return the plan
	 */
	public static ProviderPlan of(String provider, LimitPlan plan, ModelGroup... models) {
		return new ProviderPlan(provider, Map.of(DEFAULT_ACCOUNT, plan), KeyPool.NONE, List.of(models),
				QueueRules.DEFAULT, true, null, ClosingRules.DEFAULT, null, false);
	}

	public ProviderPlan withAccounts(Map<String, LimitPlan> accounts) {
		return new ProviderPlan(this.provider, accounts, this.keys, this.models, this.queue, this.givesBack,
				this.learning, this.closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withKeys(KeyPool keys) {
		return new ProviderPlan(this.provider, this.accounts, keys, this.models, this.queue, this.givesBack,
				this.learning, this.closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withQueue(QueueRules queue) {
		return new ProviderPlan(this.provider, this.accounts, this.keys, this.models, queue, this.givesBack,
				this.learning, this.closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withGivesBack(boolean givesBack) {
		return new ProviderPlan(this.provider, this.accounts, this.keys, this.models, this.queue, givesBack,
				this.learning, this.closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withLearning(@Nullable LimitLearning learning) {
		return new ProviderPlan(this.provider, this.accounts, this.keys, this.models, this.queue, this.givesBack,
				learning, this.closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withClosing(ClosingRules closing) {
		return new ProviderPlan(this.provider, this.accounts, this.keys, this.models, this.queue, this.givesBack,
				this.learning, closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withAdaptive(@Nullable AdaptiveRules adaptive) {
		return new ProviderPlan(this.provider, this.accounts, this.keys, this.models, this.queue, this.givesBack,
				this.learning, this.closing, adaptive, this.shadow);
	}

	public ProviderPlan withShadow(boolean shadow) {
		return new ProviderPlan(this.provider, this.accounts, this.keys, this.models, this.queue, this.givesBack,
				this.learning, this.closing, this.adaptive, shadow);
	}

	/**
	 * This plan with other limits of some levels.
	 * @param level an account or a model group, which is the same in every account;
	 * {@link LimitScope#ANY_ACCOUNT} stands for all accounts
	 * @param change makes the limits of a level from its present ones
	 * @return the changed plan
	 * @throws IllegalArgumentException if there is no such account or model group
	 */
	public ProviderPlan withChangedLimits(LimitScope level, UnaryOperator<LimitPlan> change) {
		requireKnown(level);
		if (!level.isOfModelGroup()) {
			Map<String, LimitPlan> changed = new LinkedHashMap<>(this.accounts);
			levelsIn(level).forEach((each) -> changed.put(each.account(), change.apply(limitsOf(each))));
			return withAccounts(changed);
		}
		List<ModelGroup> changed = this.models.stream()
			.map((group) -> group.name().equals(level.modelGroup()) ? group.withPlan(change.apply(group.plan()))
					: group)
			.toList();
		return new ProviderPlan(this.provider, this.accounts, this.keys, changed, this.queue, this.givesBack,
				this.learning, this.closing, this.adaptive, this.shadow);
	}

	/**
	 * Refuse a level that there is not.
	 * @param level an account, all accounts or a model group
	 * @throws IllegalArgumentException if the account or the model group is unknown, or a
	 * model group of a single account is meant
	 */
	public void requireKnown(LimitScope level) {
		if (!level.isAnyAccount() && !this.accounts.containsKey(level.account())) {
			throw new IllegalArgumentException(
					"account: " + level.account() + " (expected: one of " + this.accounts.keySet() + ")");
		}
		List<String> groups = this.models.stream().map(ModelGroup::name).toList();
		if (level.isOfModelGroup() && !groups.contains(level.modelGroup())) {
			throw new IllegalArgumentException("model: " + level.modelGroup() + " (expected: one of " + groups + ")");
		}
		if (level.isOfModelGroup() && !level.isAnyAccount()) {
			throw new IllegalArgumentException("account: " + level.account()
					+ " (expected: none, the limits of a model group are the same in every account)");
		}
	}

	/**
	 * The levels that have limits of their own in a level: each account if it stands for
	 * all.
	 * @param level an account, all accounts or a model group
	 * @return the levels
	 */
	public Stream<LimitScope> levelsIn(LimitScope level) {
		boolean each = level.isAnyAccount() && !level.isOfModelGroup();
		return each
				? this.accounts.keySet().stream().map((account) -> new LimitScope(this.provider, account, ANY_MODEL))
				: Stream.of(level);
	}

	/**
	 * The limits of a level; of an account only if it is named.
	 * @param level an account or a model group
	 * @return its limits
	 */
	public LimitPlan limitsOf(LimitScope level) {
		for (ModelGroup group : this.models) {
			if (group.name().equals(level.modelGroup())) {
				return group.plan();
			}
		}
		return this.accounts.getOrDefault(level.account(), LimitPlan.UNLIMITED);
	}

	/**
	 * The group whose limits a model shares.
	 * @param model name of a model, {@code null} if the call names none
	 * @return name of the first group that contains it, else {@link #ANY_MODEL}
	 */
	public String groupOf(@Nullable String model) {
		if (model == null) {
			return ANY_MODEL;
		}
		for (ModelGroup group : this.models) {
			if (group.contains(model)) {
				return group.name();
			}
		}
		return ANY_MODEL;
	}

	/**
	 * What a call is measured in. A call that names no account uses that of the key it
	 * names. Otherwise any account with keys will do, if there are keys; without, it is
	 * {@value #DEFAULT_ACCOUNT} if there is such an account, else any.
	 * @param call the call
	 * @return its scope
	 */
	public LimitScope scopeOf(LlmCall call) {
		return new LimitScope(this.provider, accountOf(call), groupOf(call.model()));
	}

	private String accountOf(LlmCall call) {
		if (call.account() != null) {
			return call.account();
		}
		String ofKey = (call.key() != null) ? this.keys.accounts().get(call.key()) : null;
		if (ofKey != null) {
			return ofKey;
		}
		boolean spread = !this.keys.isEmpty() && call.key() == null;
		return (!spread && this.accounts.containsKey(DEFAULT_ACCOUNT)) ? DEFAULT_ACCOUNT : LimitScope.ANY_ACCOUNT;
	}

	/**
	 * Refuse a call whose account or key there is not.
	 * @param call the call
	 * @throws IllegalArgumentException if the account or the key is unknown, or the key
	 * is one of another account
	 */
	public void requireKnown(LlmCall call) {
		if (call.account() != null && !this.accounts.containsKey(call.account())) {
			throw new IllegalArgumentException(
					"account: " + call.account() + " (expected: one of " + this.accounts.keySet() + ")");
		}
		if (!call.namesPooledKey()) {
			return;
		}
		Collection<String> known = (call.account() != null) ? this.keys.of(call.account())
				: this.keys.accounts().keySet();
		if (!known.contains(call.key())) {
			throw new IllegalArgumentException("key: " + call.key() + " (expected: one of " + known + ")");
		}
	}

	/**
	 * The accounts that a call may go to.
	 * @param scope scope of the call
	 * @return names of accounts, at least one
	 */
	public Set<String> accountsFor(LimitScope scope) {
		if (!scope.isAnyAccount()) {
			return Set.of(scope.account());
		}
		return this.keys.isEmpty() ? this.accounts.keySet() : this.keys.accountsWithKeys();
	}

}
