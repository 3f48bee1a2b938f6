package io.github.llmratelimit.autoconfigure;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BinaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * How one property inherits from another.
 */
final class Inheritance {

	private Inheritance() {
	}

	static <T> @Nullable T first(@Nullable T own, @Nullable T inherited) {
		return (own != null) ? own : inherited;
	}

	/* A list replaces the inherited one as a whole. */
	static <C extends Collection<?>> C first(C own, C inherited) {
		return own.isEmpty() ? inherited : own;
	}

	/*
	 * Own keys come first, because the order of model groups decides which one matches.
	 */
	static <T> Map<String, T> merge(Map<String, T> own, Map<String, T> inherited, BinaryOperator<T> or) {
		Map<String, T> merged = new LinkedHashMap<>();
		own.forEach((key, value) -> {
			T parent = inherited.get(key);
			merged.put(key, (parent != null) ? or.apply(value, parent) : value);
		});
		inherited.forEach(merged::putIfAbsent);
		return merged;
	}

}
