package io.github.llmratelimit.provider;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Which provider a URL means. Immutable.
 */
public final class ProviderRegistry {

	private final Map<String, Provider> byName = new LinkedHashMap<>();

	/** Places of each origin, those with the longest path first. */
	private final Map<String, List<Place>> byOrigin = new LinkedHashMap<>();

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
	}

	/**
	 * The provider with the longest base URL that this URL lies below: same scheme, host
	 * and port, and a path that begins with the same segments.
	 * @param uri URL of a request
	 * @return the provider, {@code null} if none is meant
	 */
	public @Nullable Provider find(URI uri) {
		String origin = origin(uri);
		for (Place place : (origin != null) ? this.byOrigin.getOrDefault(origin, List.of()) : List.<Place>of()) {
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
		String origin = origin(url);
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

	/** Scheme, host and port in one form, {@code null} if there is no host. */
	private static @Nullable String origin(URI uri) {
		if (uri.getScheme() == null || uri.getHost() == null) {
			return null;
		}
		String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
		int port = (uri.getPort() >= 0) ? uri.getPort() : scheme.equals("https") ? 443 : 80;
		return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + ":" + port;
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
