package io.github.llmratelimit.provider;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Which provider a URL means. Immutable.
 */
public final class ProviderRegistry {

	private final Map<String, Provider> byName = new LinkedHashMap<>();

	/** Places of each origin, those with the longest path first. */
	private final Map<Origin, List<Place>> byOrigin = new LinkedHashMap<>();

	/** The origins that stand for many. */
	private final List<Origin> patterns;

	/**
	 * A registry of these providers.
	 * @param providers the providers
	 * @throws IllegalArgumentException if a base URL is not absolute, or two providers
	 * share a name or a base URL
	 */
	public ProviderRegistry(Collection<Provider> providers) {
		for (Provider provider : providers) {
			if (this.byName.putIfAbsent(provider.name(), provider) != null) {
				throw new IllegalArgumentException("provider " + provider.name() + " is given twice");
			}
			provider.baseUrls().forEach((url) -> add(url, provider));
		}
		this.byOrigin.values()
			.forEach((places) -> places.sort(Comparator.comparing((place) -> -place.path().length())));
		this.patterns = this.byOrigin.keySet().stream().filter(Origin::isPattern).toList();
	}

	/**
	 * The provider with the longest base URL that this URL lies below: same scheme, host
	 * and port, and a path that begins with the same segments. Base URLs with an asterisk
	 * in their host, as in {@code https://*.example.com}, come after those without.
	 * @param uri URL of a request
	 * @return the provider, {@code null} if none is meant
	 */
	public @Nullable Provider find(URI uri) {
		Origin origin = Origin.of(uri);
		if (origin == null) {
			return null;
		}
		Provider provider = find(this.byOrigin.getOrDefault(origin, List.of()), uri);
		for (int i = 0; provider == null && i < this.patterns.size(); i++) {
			Origin pattern = this.patterns.get(i);
			provider = pattern.covers(origin) ? find(this.byOrigin.getOrDefault(pattern, List.of()), uri) : null;
		}
		return provider;
	}

	private static @Nullable Provider find(List<Place> places, URI uri) {
		for (Place place : places) {
			if (place.contains(path(uri))) {
				return place.provider();
			}
		}
		return null;
	}

	/**
	 * The provider of this name.
	 * @param name name of a provider
	 * @return the provider, {@code null} if there is none
	 */
	public @Nullable Provider named(String name) {
		return this.byName.get(name);
	}

	/**
	 * All providers.
	 * @return the providers in the order in which they were given
	 */
	public Collection<Provider> providers() {
		return Collections.unmodifiableCollection(this.byName.values());
	}

	private void add(URI url, Provider provider) {
		Origin origin = Origin.of(url);
		if (origin == null) {
			throw new IllegalArgumentException(
					"base URL of " + provider.name() + ": " + url + " (expected: scheme and host)");
		}
		List<Place> places = this.byOrigin.computeIfAbsent(origin, (key) -> new ArrayList<>());
		String path = path(url);
		for (Place place : places) {
			if (place.path().equals(path) && place.provider() != provider) {
				throw new IllegalArgumentException(
						"base URL " + url + " belongs to " + place.provider().name() + " and to " + provider.name());
			}
		}
		places.add(new Place(path, provider));
	}

	/** The path without a slash at its end. */
	private static String path(URI uri) {
		String path = (uri.getRawPath() != null) ? uri.getRawPath() : "";
		return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
	}

	/**
	 * Where a provider is found in an origin.
	 *
	 * @param path path of the base URL
	 * @param provider the provider
	 */
	private record Place(String path, Provider provider) {

		boolean contains(String other) {
			return other.startsWith(this.path)
					&& (other.length() == this.path.length() || other.charAt(this.path.length()) == '/');
		}

	}

}
