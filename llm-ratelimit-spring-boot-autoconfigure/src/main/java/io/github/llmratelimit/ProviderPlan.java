package io.github.llmratelimit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Everything that decides when a call to one provider may go.
 *
 * @param provider name of the provider
 * @param accounts limits of each account by its name, in the order in which they are
 * tried; at least one
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
public record ProviderPlan(String provider, Map<String, LimitPlan> accounts, List<ModelGroup> models, QueueRules queue,
		boolean givesBack, @Nullable LimitLearning learning, ClosingRules closing, @Nullable AdaptiveRules adaptive,
		boolean shadow) {

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
	}

	/**
	 * A provider with one account and the default queue.
	 * @param provider name of the provider
	 * @param plan limits of its account
	 * @param models model groups
	 * @return the plan
	 */
	public static ProviderPlan of(String provider, LimitPlan plan, ModelGroup... models) {
		return new ProviderPlan(provider, Map.of(DEFAULT_ACCOUNT, plan), List.of(models), QueueRules.DEFAULT, true,
				null, ClosingRules.DEFAULT, null, false);
	}

	public ProviderPlan withAccounts(Map<String, LimitPlan> accounts) {
		return new ProviderPlan(this.provider, accounts, this.models, this.queue, this.givesBack, this.learning,
				this.closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withQueue(QueueRules queue) {
		return new ProviderPlan(this.provider, this.accounts, this.models, queue, this.givesBack, this.learning,
				this.closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withGivesBack(boolean givesBack) {
		return new ProviderPlan(this.provider, this.accounts, this.models, this.queue, givesBack, this.learning,
				this.closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withLearning(@Nullable LimitLearning learning) {
		return new ProviderPlan(this.provider, this.accounts, this.models, this.queue, this.givesBack, learning,
				this.closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withClosing(ClosingRules closing) {
		return new ProviderPlan(this.provider, this.accounts, this.models, this.queue, this.givesBack, this.learning,
				closing, this.adaptive, this.shadow);
	}

	public ProviderPlan withAdaptive(@Nullable AdaptiveRules adaptive) {
		return new ProviderPlan(this.provider, this.accounts, this.models, this.queue, this.givesBack, this.learning,
				this.closing, adaptive, this.shadow);
	}

	public ProviderPlan withShadow(boolean shadow) {
		return new ProviderPlan(this.provider, this.accounts, this.models, this.queue, this.givesBack, this.learning,
				this.closing, this.adaptive, shadow);
	}

	/**
	 * The group whose limits a model shares.
	 * @param model name of a model, {@code null} if the call names none
	 * @return name of the first group that contains it, else {@link #ANY_MODEL}
	 */
	String groupOf(@Nullable String model) {
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
	 * What a call is measured in. A call that names no account uses
	 * {@value #DEFAULT_ACCOUNT} if there is such an account, else any.
	 * @param call the call
	 * @return its scope
	 */
	public LimitScope scopeOf(LlmCall call) {
		String account = call.account();
		if (account == null) {
			account = this.accounts.containsKey(DEFAULT_ACCOUNT) ? DEFAULT_ACCOUNT : LimitScope.ANY_ACCOUNT;
		}
		return new LimitScope(this.provider, account, groupOf(call.model()));
	}

}
