package io.github.llmratelimit.sample.explain;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ResponseHead;
import org.jspecify.annotations.Nullable;

/**
 * A response of some provider.
 *
 * @param id how to tell it from others
 * @param provider name of the provider, {@code null} if it is not said
 * @param status HTTP status
 * @param headers the first value of each header by its name in lower case
 * @param body the body, perhaps empty
 */
record SavedResponse(String id, @Nullable String provider, int status, Map<String, String> headers, String body) {

	SavedResponse {
		Map<String, String> first = new LinkedHashMap<>();
		headers.forEach((name, value) -> first.putIfAbsent(name.toLowerCase(Locale.ROOT), value.strip()));
		headers = Collections.unmodifiableMap(first);
	}

	/** The same response, of this provider unless it names another. */
	SavedResponse from(String provider) {
		return (this.provider != null) ? this
				: new SavedResponse(this.id, provider, this.status, this.headers, this.body);
	}

	ThrottleSignal signal() {
		return dialect().classify(new ResponseHead(this.status, (name) -> this.headers.getOrDefault(name, "")),
				this.body.getBytes(StandardCharsets.UTF_8));
	}

	private ProviderDialect dialect() {
		return (this.provider != null) ? Speaker.named(this.provider) : Speaker.knownBy(this.headers.keySet());
	}

}
