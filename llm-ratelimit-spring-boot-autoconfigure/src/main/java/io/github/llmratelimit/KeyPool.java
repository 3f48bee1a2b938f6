package io.github.llmratelimit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * The keys among which calls to one provider are spread. Knows their ids only: what a key
 * is worth is nobody's business before it is sent.
 *
 * @param accounts the account of each key, by the key's id
 * @param selection which account a call goes to; the keys of one account take turns
 * @param random numbers from 0 to below 1, for a random selection
 */
public record KeyPool(Map<String, String> accounts, Selection selection, DoubleSupplier random) {

	/** No keys: clients bring their own. */
	public static final KeyPool NONE = new KeyPool(Map.of(), Selection.LEAST_WAIT, () -> 0);

	public KeyPool {
		accounts = Collections.unmodifiableMap(new LinkedHashMap<>(accounts));
	}

	/**
	 * Whether there are no keys.
	 * @return true if clients bring their own
	 */
	public boolean isEmpty() {
		return this.accounts.isEmpty();
	}

	/**
	 * The keys of an account.
	 * @param account name of the account
	 * @return their ids; none if it has no keys
	 */
	public List<String> of(String account) {
		return this.accounts.entrySet()
			.stream()
			.filter((key) -> key.getValue().equals(account))
			.map(Map.Entry::getKey)
			.toList();
	}

	/**
	 * The accounts that have keys.
	 * @return names of accounts
	 */
	public Set<String> accountsWithKeys() {
		return new LinkedHashSet<>(this.accounts.values());
	}

	/**
	 * Which account a call goes to, among those that let it go.
	 */
	public enum Selection {

		/** The one that lets it go soonest; of several, the one with the least use. */
		LEAST_WAIT,

		/** The one whose turn is longest ago. */
		ROUND_ROBIN,

		/** Any. */
		RANDOM

	}

}
