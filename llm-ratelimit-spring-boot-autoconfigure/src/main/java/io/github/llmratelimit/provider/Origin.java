package io.github.llmratelimit.provider;

import java.net.URI;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Scheme, host and port of a URL. The host may have one asterisk, which stands for a part
 * of a name between dots.
 *
 * @param scheme scheme in lower case
 * @param host host in lower case
 * @param port port, also if it is the usual one
 */
record Origin(String scheme, String host, int port) {

	/** The origin of a URL, {@code null} if it has none. */
	static @Nullable Origin of(URI uri) {
		if (uri.getScheme() == null || uri.getRawAuthority() == null) {
			return null;
		}
		return (uri.getHost() != null) ? of(uri.getScheme(), uri.getHost(), uri.getPort())
				: ofPattern(uri.getScheme(), uri.getRawAuthority());
	}

	private static @Nullable Origin ofPattern(String scheme, String authority) {
		int asterisk = authority.indexOf('*');
		if (asterisk < 0 || asterisk != authority.lastIndexOf('*')) {
			return null;
		}
		URI example = URI.create(scheme + "://" + authority.replace('*', 'x'));
		if (example.getHost() == null || asterisk >= example.getHost().length()) {
			return null;
		}
		return of(scheme, authority.substring(0, example.getHost().length()), example.getPort());
	}

	private static Origin of(String scheme, String host, int port) {
		String lowerCase = scheme.toLowerCase(Locale.ROOT);
		int usual = lowerCase.equals("https") ? 443 : 80;
		return new Origin(lowerCase, host.toLowerCase(Locale.ROOT), (port >= 0) ? port : usual);
	}

	boolean isPattern() {
		return this.host.indexOf('*') >= 0;
	}

	/** Whether the other origin is one of those that this pattern stands for. */
	boolean covers(Origin other) {
		int asterisk = this.host.indexOf('*');
		int end = other.host.length() - (this.host.length() - asterisk - 1);
		return this.port == other.port && this.scheme.equals(other.scheme) && asterisk < end
				&& other.host.regionMatches(0, this.host, 0, asterisk)
				&& other.host.endsWith(this.host.substring(asterisk + 1))
				&& other.host.substring(asterisk, end).indexOf('.') < 0;
	}

}
