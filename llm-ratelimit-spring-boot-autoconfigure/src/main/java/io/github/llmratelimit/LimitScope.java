package io.github.llmratelimit;

/**
 * What is measured and what closes: one model group of one account of one provider.
 *
 * @param provider name of the provider
 * @param account name of the account
 * @param modelGroup name of the model group, {@link ProviderPlan#ANY_MODEL} for models
 * without limits of their own
 */
public record LimitScope(String provider, String account, String modelGroup) {

	/** Stands for the account of a call that may use any. */
	public static final String ANY_ACCOUNT = "*";

	/**
	 * Whether the account is still to be chosen.
	 * @return true if any account of the provider will do
	 */
	public boolean isAnyAccount() {
		return ANY_ACCOUNT.equals(this.account);
	}

	/**
	 * Whether it is a part of its account.
	 * @return false if it is the whole account
	 */
	public boolean isOfModelGroup() {
		return !ProviderPlan.ANY_MODEL.equals(this.modelGroup);
	}

}
