package io.github.llmratelimit.provider;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.ObservedLimits.Observed;

/**
 * The {@code RateLimit} and {@code RateLimit-Policy} fields of the IETF's drafts
 * (draft-ietf-httpapi-ratelimit-headers), in the forms of -07 and of -08 to -10. A field
 * that is malformed is ignored as a whole.
 */
final class RateLimitFields {

	private static final int MAX_LENGTH = 1024;

	private RateLimitFields() {
	}

	/** The limits that the fields name; those without a policy have no window. */
	static List<Observed> read(ResponseHead head) {
		List<Item> limits = items(head.header("ratelimit"));
		if (limits.isEmpty()) {
			return List.of();
		}
		if (limits.get(0).name.isEmpty()) {
			return observed(dictionary(limits), "limit", "remaining", "reset", null);
		}
		Map<String, Item> policies = new HashMap<>();
		items(head.header("ratelimit-policy")).forEach((policy) -> policies.put(policy.name, policy));
		List<Observed> observed = new ArrayList<>();
		limits.forEach((limit) -> observed.addAll(observed(limit, policies.get(limit.name))));
		return observed;
	}

	private static List<Observed> observed(Item limit, @Nullable Item policy) {
		Map<String, String> parameters = new HashMap<>(limit.parameters);
		if (policy != null) {
			if (!policy.parameters.getOrDefault("qu", "requests").equals("requests")) {
				return List.of();
			}
			parameters.putAll(policy.parameters);
		}
		return observed(parameters, "q", "r", "t", seconds(parameters.get("w")));
	}

	private static List<Observed> observed(Map<String, String> parameters, String limit, String remaining, String reset,
			@Nullable Duration per) {
		Long left = number(parameters.get(remaining));
		return (left == null) ? List.of() : List.of(new Observed(Counted.REQUESTS, per, number(parameters.get(limit)),
				left, seconds(parameters.get(reset))));
	}

	/** The members of the older form, which is one dictionary. */
	private static Map<String, String> dictionary(List<Item> items) {
		Map<String, String> members = new HashMap<>();
		items.forEach((item) -> members.putAll(item.parameters));
		return members;
	}

	private static @Nullable Duration seconds(@Nullable String value) {
		Long seconds = number(value);
		return (seconds != null) ? Duration.ofSeconds(seconds) : null;
	}

	private static @Nullable Long number(@Nullable String value) {
		Decimal number = Decimal.of(value);
		return (number != null) ? number.whole() : null;
	}

	/** The items of a field, none if it is malformed. */
	private static List<Item> items(@Nullable String field) {
		if (field == null || field.length() > MAX_LENGTH) {
			return List.of();
		}
		List<Item> items = new ArrayList<>();
		for (String text : field.split(",", -1)) {
			Item item = Item.of(text.strip());
			if (item == null) {
				return List.of();
			}
			items.add(item);
		}
		return items;
	}

	/**
	 * One item.
	 *
	 * @param name name of the policy, empty for a member of a dictionary
	 * @param parameters what is said of it
	 */
	private record Item(String name, Map<String, String> parameters) {

		static @Nullable Item of(String text) {
			Map<String, String> parameters = new HashMap<>();
			String name = "";
			for (String part : text.split(";", -1)) {
				String[] pair = part.strip().split("=", 2);
				if (pair.length == 1 && name.isEmpty() && parameters.isEmpty() && isQuoted(pair[0])) {
					name = pair[0];
				}
				else if (pair.length == 2 && isValue(pair[0], pair[1])) {
					parameters.put(pair[0].toLowerCase(Locale.ROOT), unquoted(pair[1]));
				}
				else {
					return null;
				}
			}
			return new Item(name, parameters);
		}

		private static boolean isQuoted(String text) {
			return text.length() > 2 && text.startsWith("\"") && text.endsWith("\"");
		}

		/**
		 * Whether a parameter has a value; those that are read as numbers must be one.
		 */
		private static boolean isValue(String key, String value) {
			boolean numeric = List.of("q", "r", "t", "w", "limit", "remaining", "reset").contains(key);
			return !value.isEmpty() && (!numeric || number(value) != null);
		}

		private static String unquoted(String value) {
			return isQuoted(value) ? value.substring(1, value.length() - 1) : value;
		}

	}

}
