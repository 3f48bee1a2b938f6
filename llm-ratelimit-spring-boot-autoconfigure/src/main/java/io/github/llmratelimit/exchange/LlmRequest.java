package io.github.llmratelimit.exchange;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.llmratelimit.FallbackAnswer.Resend;
import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.token.RequestFacts;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * A request to a provider, whatever its client, and what is to be changed in it before it
 * is sent. Immutable, if the bytes of its body are left alone.
 */
public final class LlmRequest {

	/** Larger bodies are sent without being looked at. */
	public static final int MOST_BYTES = 32 * 1024 * 1024;

	private static final byte[] STREAM_USAGE = ",\"stream_options\":{\"include_usage\":true}"
		.getBytes(StandardCharsets.US_ASCII);

	private final URI url;

	private final Function<String, @Nullable String> original;

	private final HeaderEdits headers;

	private final @Nullable ByteBuffer json;

	private final boolean hasBody;

	private final boolean rewritten;

	private final boolean moved;

	private final Map<String, Object> attributes;

	private LlmRequest(URI url, Function<String, @Nullable String> original, HeaderEdits headers,
			@Nullable ByteBuffer json, boolean hasBody, boolean rewritten, boolean moved,
			Map<String, Object> attributes) {
		this.url = url;
		this.original = original;
		this.headers = headers;
		this.json = json;
		this.hasBody = hasBody;
		this.rewritten = rewritten;
		this.moved = moved;
		this.attributes = attributes;
	}

	/**
	 * A request as it is.
	 * @param url where it goes
	 * @param headers finds the first value of a header by its name, in any case
	 * @param json its body, {@code null} if it has none, or one that is
	 * {@linkplain #isJson not JSON}, can be read only once, or is {@linkplain #MOST_BYTES
	 * too large}
	 * @param hasBody whether it has a body
	 * @param attributes what its client was told about it, by name
	 * @return the request
	 */
	public static LlmRequest of(URI url, Function<String, @Nullable String> headers, @Nullable ByteBuffer json,
			boolean hasBody, Map<String, Object> attributes) {
		return new LlmRequest(url, headers, HeaderEdits.NONE, json, hasBody, false, false, attributes);
	}

	/**
	 * Whether a body is worth reading.
	 * @param contentType its content type, {@code null} if it has none
	 * @return true if it is one JSON value
	 */
	public static boolean isJson(@Nullable String contentType) {
		if (contentType == null) {
			return false;
		}
		int parameters = contentType.indexOf(';');
		String type = ((parameters >= 0) ? contentType.substring(0, parameters) : contentType).strip()
			.toLowerCase(Locale.ROOT);
		return type.equals("application/json") || type.endsWith("+json");
	}

	public URI url() {
		return this.url;
	}

	/**
	 * A header as it will be sent.
	 * @param name its name
	 * @return its first value, {@code null} if there is none
	 */
	public @Nullable String header(String name) {
		return keeps(name) ? this.original.apply(name) : this.headers.set().get(name);
	}

	/**
	 * Whether a header that the client has set is sent.
	 * @param name its name
	 * @return false if it is not, or another takes its place
	 */
	public boolean keeps(String name) {
		return this.headers.keeps(name);
	}

	/**
	 * The headers that are set, besides those that are kept.
	 * @return their values by name, in any case
	 */
	public Map<String, String> headers() {
		return this.headers.set();
	}

	/**
	 * The body.
	 * @return its bytes between position and limit, {@code null} if it cannot be read
	 */
	public @Nullable ByteBuffer json() {
		return (this.json != null) ? this.json.duplicate() : null;
	}

	/**
	 * Whether it goes to another host than its client wanted, which must see no cookies.
	 * @return true if it does
	 */
	public boolean isMoved() {
		return this.moved;
	}

	/**
	 * Whether the body differs from what its client has written.
	 * @return true if {@link #json()} is to be sent in its place
	 */
	public boolean isRewritten() {
		return this.rewritten;
	}

	/**
	 * Whether anything differs from what its client has written.
	 * @return false if the original request can be sent
	 */
	public boolean isChanged() {
		return this.rewritten || this.moved || this.headers != HeaderEdits.NONE;
	}

	Map<String, Object> attributes() {
		return this.attributes;
	}

	boolean hasBody() {
		return this.hasBody;
	}

	RequestFacts facts() {
		return (this.json != null) ? RequestFacts.scan(this.json.array(),
				this.json.arrayOffset() + this.json.position(), this.json.remaining()) : RequestFacts.UNREADABLE;
	}

	@Nullable String text() {
		return (this.json != null) ? StandardCharsets.UTF_8.decode(this.json.duplicate()).toString() : null;
	}

	/**
	 * The same request with a key.
	 * @param url the URL with it, or without any
	 * @param places the headers that may hold another, in lower case
	 * @param header the header with it, if any
	 * @return the changed request
	 */
	LlmRequest withKey(URI url, Collection<String> places, Map<String, String> header) {
		return new LlmRequest(url, this.original, this.headers.without(places).with(header), this.json, this.hasBody,
				this.rewritten, this.moved, this.attributes);
	}

	/* Before the last brace; the object has a key already, which says that it streams. */
	LlmRequest withStreamUsage() {
		ByteBuffer bytes = Objects.requireNonNull(this.json);
		int end = bytes.limit();
		while (bytes.get(end - 1) != '}') {
			end--;
		}
		return withJson(ByteBuffer.allocate(bytes.remaining() + STREAM_USAGE.length)
			.put(bytes.slice(bytes.position(), end - 1 - bytes.position()))
			.put(STREAM_USAGE)
			.put(bytes.slice(end - 1, bytes.limit() - end + 1))
			.flip());
	}

	/**
	 * The same request as a fallback wants it.
	 * @param resend what is to be different
	 * @param maxWait how long it may wait, {@code null} for what its provider allows
	 * @return the changed request
	 * @throws IllegalStateException if it names no model that could be replaced
	 */
	LlmRequest again(Resend resend, @Nullable Duration maxWait) {
		LlmRequest request = this;
		if (resend.model() != null) {
			request = request.withJson(facts().withModel(resend.model()))
				.with(LlmRateLimitAttributes.model(resend.model()));
		}
		if (resend.url() != null) {
			request = request.to(resend.url());
		}
		if (maxWait != null) {
			request = request.with(LlmRateLimitAttributes.maxWait(maxWait));
		}
		return request.withHeaders(resend.headers());
	}

	/**
	 * The same request with the options of the scope around it, unless it goes elsewhere
	 * than they were meant for.
	 */
	LlmRequest within(ContextView context) {
		return this.moved ? this : withAttributes(LlmCallScope.around(this.attributes, context));
	}

	private LlmRequest withJson(ByteBuffer json) {
		return new LlmRequest(this.url, this.original, this.headers, json, this.hasBody, true, this.moved,
				this.attributes);
	}

	private LlmRequest with(Consumer<Map<String, Object>> attribute) {
		Map<String, Object> attributes = new HashMap<>(this.attributes);
		attribute.accept(attributes);
		return withAttributes(attributes);
	}

	private LlmRequest withAttributes(Map<String, Object> attributes) {
		return new LlmRequest(this.url, this.original, this.headers, this.json, this.hasBody, this.rewritten,
				this.moved, attributes);
	}

	private LlmRequest withHeaders(Map<String, String> headers) {
		return new LlmRequest(this.url, this.original, this.headers.with(headers), this.json, this.hasBody,
				this.rewritten, this.moved, this.attributes);
	}

	private LlmRequest to(URI url) {
		if (isSameHost(url)) {
			return new LlmRequest(url, this.original, this.headers, this.json, this.hasBody, this.rewritten, this.moved,
					this.attributes);
		}
		return new LlmRequest(url, this.original, HeaderEdits.FOR_ANY_HOST, this.json, this.hasBody, this.rewritten,
				true, this.attributes)
			.with(LlmRateLimitAttributes.providerOfUrl());
	}

	private boolean isSameHost(URI url) {
		return Objects.equals(url.getScheme(), this.url.getScheme())
				&& Objects.equals(url.getHost(), this.url.getHost()) && url.getPort() == this.url.getPort();
	}

}
