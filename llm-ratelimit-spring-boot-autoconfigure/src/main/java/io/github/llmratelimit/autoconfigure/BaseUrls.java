package io.github.llmratelimit.autoconfigure;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * The URLs below which providers are found.
 */
final class BaseUrls {

	private static final Set<String> SCHEMES = Set.of("http", "https");

	private static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1");

	private BaseUrls() {
	}

	static void validate(ConfigurationPropertyName path, List<String> urls, Problems problems) {
		for (int i = 0; i < urls.size(); i++) {
			String flaw = flawOf(urls.get(i));
			if (flaw != null) {
				problems.report(path.append("[" + i + "]"), printable(urls.get(i)), flaw,
						"Write the URL as in https://api.example.com/v1.");
			}
		}
	}

	static boolean isValid(String url) {
		return flawOf(url) == null;
	}

	static boolean isLocal(String url) {
		String host = URI.create(url).getHost();
		return host != null && LOCAL_HOSTS.contains(host);
	}

	/**
	 * The form in which equal URLs are equal.
	 * @param url a valid URL
	 * @return the URL in lower case as far as case does not matter, with its port and
	 * without a slash at the end
	 */
	static URI normalize(String url) {
		URI uri = URI.create(url);
		String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
		String host = uri.getRawAuthority().toLowerCase(Locale.ROOT);
		String port = host.matches(".*:\\d+") ? "" : "https".equals(scheme) ? ":443" : ":80";
		String path = uri.getRawPath().replaceAll("/+$", "");
		return URI.create(scheme + "://" + host + port + path);
	}

	private static @Nullable String flawOf(String url) {
		try {
			return flawOf(URI.create(url));
		}
		catch (IllegalArgumentException ex) {
			return "is not a URL";
		}
	}

	private static @Nullable String flawOf(URI url) {
		if (url.getScheme() == null || !SCHEMES.contains(url.getScheme().toLowerCase(Locale.ROOT))) {
			return "must begin with https:// or http://";
		}
		if (url.getHost() == null && !isHostPattern(url.getRawAuthority())) {
			return "has no host";
		}
		if (url.getRawUserInfo() != null) {
			return "must not contain credentials";
		}
		return (url.getRawQuery() != null || url.getRawFragment() != null) ? "must end with its path" : null;
	}

	/** A host with one asterisk for a part of a name, as in {@code *.example.com}. */
	private static boolean isHostPattern(@Nullable String authority) {
		return authority != null && authority.matches("[\\w.-]*\\*[\\w.-]*(:\\d+)?");
	}

	private static String printable(String url) {
		return url.replaceAll("//[^/@]*@", "//******@");
	}

}
