package io.github.llmratelimit.provider;

import java.net.URI;
import java.util.List;

/**
 * A named API and the way it talks.
 *
 * @param name name of the provider
 * @param dialect how it announces limits, refusals and usage
 * @param baseUrls the URLs below which it is found
 * @param limited whether calls to it are limited; if not, they pass untouched
 * @param keys the keys among which calls are spread
 */
public record Provider(String name, ProviderDialect dialect, List<URI> baseUrls, boolean limited, KeyRing keys) {

	public Provider {
		baseUrls = List.copyOf(baseUrls);
	}

	/**
	 * A provider whose calls are limited and sent as they are.
	 * @param name name of the provider
	 * @param dialect how it announces limits, refusals and usage
	 * @param baseUrls the URLs below which it is found
	 */
	public Provider(String name, ProviderDialect dialect, List<URI> baseUrls) {
		this(name, dialect, baseUrls, true, KeyRing.EMPTY);
	}

	public Provider withKeys(KeyRing keys) {
		return new Provider(this.name, this.dialect, this.baseUrls, this.limited, keys);
	}

	/**
	 * The same provider, left alone.
	 * @return the changed copy
	 */
	public Provider unlimited() {
		return new Provider(this.name, this.dialect, this.baseUrls, false, this.keys);
	}

}
