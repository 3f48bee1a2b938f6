package io.github.llmratelimit.provider;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The built-in dialects.
 */
public final class Dialects {

	/** The dialect of providers of which nothing is known. */
	public static final String GENERIC = "generic";

	private static final Map<String, ProviderDialect> BUILT_IN = byName(OpenAiDialect.TABLE, OpenAiDialect.COMPATIBLE,
			GenericDialect.TABLE);

	private Dialects() {
	}

	/**
	 * All of them.
	 * @return the dialects by name
	 */
	public static Map<String, ProviderDialect> builtIn() {
		return BUILT_IN;
	}

	private static Map<String, ProviderDialect> byName(ProviderDialect... dialects) {
		return List.of(dialects)
			.stream()
			.collect(Collectors.toUnmodifiableMap(ProviderDialect::name, Function.identity()));
	}

}
