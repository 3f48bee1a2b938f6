package io.github.llmratelimit;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Options of one call, given to an HTTP client as request attributes:
 * {@code webClient.post().attributes(LlmRateLimitAttributes.priority(INTERACTIVE))}.
 */
public final class LlmRateLimitAttributes {

	private static final String PREFIX = LlmRateLimitAttributes.class.getPackageName() + ".";

	private static final String PROVIDER = PREFIX + "provider";

	private static final String MODEL = PREFIX + "model";

	private static final String ACCOUNT = PREFIX + "account";

	private static final String KEY = PREFIX + "key";

	private static final String PRIORITY = PREFIX + "priority";

	private static final String TOKENS = PREFIX + "tokens";

	private static final String UNITS = PREFIX + "units";

	private static final String MAX_WAIT = PREFIX + "max-wait";

	private LlmRateLimitAttributes() {
	}

	/**
	 * The provider whose limits apply, whatever the URL of the request.
	 * @param provider name of a configured provider
	 * @return the attribute
	 */
	public static Consumer<Map<String, Object>> provider(String provider) {
		return set(PROVIDER, provider);
	}

	/**
	 * The model, where the request body does not tell it.
	 * @param model name of the model
	 * @return the attribute
	 */
	public static Consumer<Map<String, Object>> model(String model) {
		return set(MODEL, model);
	}

	/**
	 * The account whose quota is used.
	 * @param account name of a configured account
	 * @return the attribute
	 */
	public static Consumer<Map<String, Object>> account(String account) {
		return set(ACCOUNT, account);
	}

	/**
	 * The pooled key that is used, also in place of one that the request has already.
	 * @param id id of a configured key
	 * @return the attribute
	 */
	public static Consumer<Map<String, Object>> key(String id) {
		return set(KEY, id);
	}

	/**
	 * How urgent the call is.
	 * @param priority the priority
	 * @return the attribute
	 */
	public static Consumer<Map<String, Object>> priority(Priority priority) {
		return set(PRIORITY, priority);
	}

	/**
	 * The tokens expected of the call, instead of an estimate from its body.
	 * @param tokens the tokens
	 * @return the attribute
	 */
	public static Consumer<Map<String, Object>> tokens(TokenEstimate tokens) {
		return set(TOKENS, tokens);
	}

	/**
	 * What the call weighs in limits that count units, such as images or minutes of
	 * sound.
	 * @param units 0 or more; a call that does not say weighs 1
	 * @return the attribute
	 */
	public static Consumer<Map<String, Object>> units(int units) {
		return set(UNITS, units);
	}

	/**
	 * The longest time the call may wait in all.
	 * @param maxWait the time
	 * @return the attribute
	 */
	public static Consumer<Map<String, Object>> maxWait(Duration maxWait) {
		return set(MAX_WAIT, maxWait);
	}

	/**
	 * No provider, account or key: those of the URL to which the request goes.
	 * @return the attributes
	 */
	public static Consumer<Map<String, Object>> providerOfUrl() {
		return (attributes) -> attributes.keySet().removeAll(Set.of(PROVIDER, ACCOUNT, KEY));
	}

	/**
	 * The provider that a request names.
	 * @param attributes attributes of the request
	 * @return name of the provider, {@code null} if it names none
	 */
	public static @Nullable String providerOf(Map<String, Object> attributes) {
		return (String) attributes.get(PROVIDER);
	}

	/**
	 * The tokens that a request states.
	 * @param attributes attributes of the request
	 * @return the tokens, {@code null} if it states none
	 */
	public static @Nullable TokenEstimate tokensOf(Map<String, Object> attributes) {
		return (TokenEstimate) attributes.get(TOKENS);
	}

	/**
	 * A call with all options that a request states.
	 * @param call what is known of the call without them
	 * @param attributes attributes of the request
	 * @return the call, changed where the request says so
	 */
	public static LlmCall apply(LlmCall call, Map<String, Object> attributes) {
		if (attributes.isEmpty()) {
			return call;
		}
		return new LlmCall(call.provider(), value(attributes, MODEL, call.model()),
				value(attributes, ACCOUNT, call.account()), value(attributes, KEY, call.key()),
				value(attributes, PRIORITY, call.priority()), value(attributes, TOKENS, call.tokens()),
				value(attributes, UNITS, call.units()), value(attributes, MAX_WAIT, call.maxWait()), call.turn());
	}

	private static Consumer<Map<String, Object>> set(String key, Object value) {
		return (attributes) -> attributes.put(key, value);
	}

	@SuppressWarnings({ "unchecked", "NullAway" })
	private static <T extends @Nullable Object> T value(Map<String, Object> attributes, String key, T otherwise) {
		Object value = attributes.get(key);
		return (value != null) ? (T) value : otherwise;
	}

}
