package io.github.llmratelimit.exchange;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What is to be changed in the headers of a request. Immutable.
 *
 * @param kept which headers stay, by their names in lower case
 * @param set the headers that are set, by their names in any case
 */
record HeaderEdits(Predicate<String> kept, Map<String, String> set) {

	static final HeaderEdits NONE = new HeaderEdits((name) -> true, Map.of());

	/*
	 * To a host that the request was not made for; any other header may be a secret
	 * between the caller and the first host.
	 */
	static final HeaderEdits FOR_ANY_HOST = new HeaderEdits(Set.of("accept", "content-type")::contains, Map.of());

	boolean keeps(String name) {
		return !this.set.containsKey(name) && this.kept.test(name.toLowerCase(Locale.ROOT));
	}

	HeaderEdits with(Map<String, String> headers) {
		if (headers.isEmpty()) {
			return this;
		}
		Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		all.putAll(this.set);
		all.putAll(headers);
		return new HeaderEdits(this.kept, all);
	}

	HeaderEdits without(Collection<String> names) {
		return new HeaderEdits(this.kept.and((name) -> !names.contains(name)), this.set);
	}

}
