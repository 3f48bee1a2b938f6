package io.github.llmratelimit.provider;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The keys of a provider with their values, for those who send requests. Immutable; shows
 * no value.
 */
public final class KeyRing {

	/** No keys: clients bring their own. */
	public static final KeyRing EMPTY = new KeyRing(List.of(), false);

	private final Map<String, Key> byId = new LinkedHashMap<>();

	private final Map<String, Key> byValue = new LinkedHashMap<>();

	private final boolean overriding;

	/**
	 * Create a ring.
	 * @param keys the keys
	 * @param overriding whether a key takes the place of one that a request has already
	 */
	public KeyRing(List<Key> keys, boolean overriding) {
		keys.forEach((key) -> {
			this.byId.put(key.id(), key);
			this.byValue.put(key.value(), key);
		});
		this.overriding = overriding;
	}

	/**
	 * Whether there are no keys.
	 * @return true if clients bring their own
	 */
	public boolean isEmpty() {
		return this.byId.isEmpty();
	}

	/**
	 * Whether a key takes the place of one that a request has already.
	 * @return true if requests are always sent with a key of the ring
	 */
	public boolean isOverriding() {
		return this.overriding;
	}

	/**
	 * The value of a key.
	 * @param id id of the key
	 * @return what is sent to the provider, {@code null} if there is no such key
	 */
	public @Nullable String valueOf(String id) {
		Key key = this.byId.get(id);
		return (key != null) ? key.value() : null;
	}

	/**
	 * The account of a key that a request has brought.
	 * @param value the key
	 * @return name of the account, {@code null} if the key is none of the ring
	 */
	public @Nullable String accountOf(String value) {
		Key key = this.byValue.get(value);
		return (key != null) ? key.account() : null;
	}

	@Override
	public String toString() {
		return "KeyRing" + this.byId.keySet();
	}

	/**
	 * A key.
	 *
	 * @param id by which it is known
	 * @param value what is sent to the provider
	 * @param account name of the account it belongs to
	 */
	public record Key(String id, String value, String account) {

		/* Never the value. */
		@Override
		public String toString() {
			return "Key[" + this.id + ", account=" + this.account + "]";
		}

	}

}
