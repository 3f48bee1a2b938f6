package io.github.llmratelimit.provider;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Where a request carries its key: in a header or in the query of its URL.
 *
 * @param kind in which part of the request
 * @param name name of the header, in lower case, or of the query parameter
 * @param scheme what stands before the key, with the blank that follows it; may be empty
 * @param segment the segment that a path must have for the place to apply, {@code null}
 * if it always does
 */
public record KeyPlace(Kind kind, String name, String scheme, @Nullable String segment) {

	/** {@code Authorization: Bearer}, followed by the key. */
	public static final KeyPlace BEARER = new KeyPlace(Kind.HEADER, "authorization", "Bearer ", null);

	/**
	 * A header that contains nothing but the key.
	 * @param name name of the header, in lower case
	 * @return the place
	 */
	public static KeyPlace header(String name) {
		return new KeyPlace(Kind.HEADER, name, "", null);
	}

	/**
	 * A parameter of the query. URLs are shown and logged more often than headers: prefer
	 * a header where the provider has one.
	 * @param name name of the parameter
	 * @return the place
	 */
	public static KeyPlace queryParameter(String name) {
		return new KeyPlace(Kind.QUERY_PARAMETER, name, "", null);
	}

	/**
	 * The same place, only for some of the provider's paths.
	 * @param segment a segment that the path must have
	 * @return the changed copy
	 */
	public KeyPlace onlyWith(String segment) {
		return new KeyPlace(this.kind, this.name, this.scheme, segment);
	}

	/**
	 * Whether the place is a header.
	 * @return false if it is a query parameter
	 */
	public boolean isHeader() {
		return this.kind == Kind.HEADER;
	}

	/**
	 * Whether a request has its key here.
	 * @param url URL of the request
	 * @return true if the provider looks here
	 */
	public boolean appliesTo(URI url) {
		return this.segment == null
				|| url.getRawPath() != null && Arrays.asList(url.getRawPath().split("/")).contains(this.segment);
	}

	/**
	 * The key that a request has already.
	 * @param url URL of the request
	 * @param headers finds the first value of a header
	 * @return the key, {@code null} if there is none
	 */
	public @Nullable String find(URI url, Function<String, @Nullable String> headers) {
		if (isHeader()) {
			String value = headers.apply(this.name);
			return (value != null) ? withoutScheme(value.strip()) : null;
		}
		return parameters(url).filter(this::isMine)
			.map((parameter) -> parameter.substring(parameter.indexOf('=') + 1))
			.findFirst()
			.orElse(null);
	}

	private String withoutScheme(String value) {
		return value.regionMatches(true, 0, this.scheme, 0, this.scheme.length())
				? value.substring(this.scheme.length()).strip() : value;
	}

	/**
	 * What the place has to contain.
	 * @param key the key
	 * @return the value of the header or the parameter
	 */
	public String valueOf(String key) {
		return this.scheme + key;
	}

	/**
	 * A URL without a key.
	 * @param url a URL
	 * @return the URL without this query parameter
	 */
	public URI without(URI url) {
		return (isHeader() || parameters(url).noneMatch(this::isMine)) ? url
				: withQuery(url, parameters(url).filter((parameter) -> !isMine(parameter)));
	}

	/**
	 * A URL with a key.
	 * @param url a URL
	 * @param key the key
	 * @return the URL with this query parameter, instead of the one it had
	 */
	public URI with(URI url, String key) {
		String parameter = this.name + "=" + URLEncoder.encode(valueOf(key), StandardCharsets.UTF_8);
		return isHeader() ? url : withQuery(url, Stream.concat(parameters(without(url)), Stream.of(parameter)));
	}

	private boolean isMine(String parameter) {
		return parameter.startsWith(this.name + "=");
	}

	private static Stream<String> parameters(URI url) {
		String query = url.getRawQuery();
		return (query == null || query.isEmpty()) ? Stream.empty() : Stream.of(query.split("&"));
	}

	private static URI withQuery(URI url, Stream<String> parameters) {
		String text = url.toString();
		String base = text.split("[?#]", 2)[0];
		String query = parameters.collect(Collectors.joining("&"));
		String fragment = (url.getRawFragment() != null) ? "#" + url.getRawFragment() : "";
		return URI.create(base + (query.isEmpty() ? "" : "?" + query) + fragment);
	}

	/**
	 * The parts of a request that may have a key.
	 */
	public enum Kind {

		/** A header. */
		HEADER,

		/** A parameter in the query of the URL. */
		QUERY_PARAMETER

	}

}
