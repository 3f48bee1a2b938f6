package io.github.llmratelimit.autoconfigure;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.vendor.Dialects;
import org.jspecify.annotations.Nullable;

/**
 * The dialects a provider can have: those of the application and the built-in ones.
 *
 * @param byName the dialects by their name
 */
record KnownDialects(Map<String, ProviderDialect> byName) {

	static final String GENERIC = "generic";

	/**
	 * The application's dialects, and the built-in ones of other names.
	 * @param own dialects of the application; the first of a name wins
	 * @return the dialects
	 */
	static KnownDialects of(Stream<ProviderDialect> own) {
		Map<String, ProviderDialect> byName = new LinkedHashMap<>();
		own.forEach((dialect) -> byName.putIfAbsent(dialect.name(), dialect));
		Dialects.builtIn().forEach(byName::putIfAbsent);
		return new KnownDialects(byName);
	}

	Set<String> names() {
		return this.byName.keySet();
	}

	/**
	 * Those whose providers can be told by their URLs alone.
	 * @return the dialects with URLs, none of which is on this machine
	 */
	Stream<ProviderDialect> withPublicUrls() {
		return this.byName.values()
			.stream()
			.filter((dialect) -> !dialect.baseUrls().isEmpty())
			.filter((dialect) -> dialect.baseUrls().stream().noneMatch(BaseUrls::isLocal))
			.sorted(Comparator.comparing(ProviderDialect::name));
	}

	String nameFor(String provider, ProviderProperties properties) {
		String named = properties.dialect();
		if (named != null) {
			return named;
		}
		return this.byName.containsKey(provider) ? provider : GENERIC;
	}

	@Nullable ProviderDialect dialectFor(String provider, ProviderProperties properties) {
		return this.byName.get(nameFor(provider, properties));
	}

	static List<String> baseUrls(ProviderDialect dialect, ProviderProperties properties) {
		return properties.baseUrls().isEmpty() ? dialect.baseUrls() : properties.baseUrls();
	}

}
