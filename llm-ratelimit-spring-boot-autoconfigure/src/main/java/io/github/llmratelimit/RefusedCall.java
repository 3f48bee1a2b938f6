package io.github.llmratelimit;

import java.net.URI;
import java.util.Collections;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A call that was refused for good, as a fallback sees it.
 *
 * @param call the call; a {@code maxWait} of its own is what is left of it
 * @param refusal why it was refused, and how often it was sent before
 * @param url where it was to be sent, {@code null} if its client does not know
 * @param body the JSON that was to be sent, {@code null} if there is none or it cannot be
 * read
 * @param attributes what its client was told about it, by name
 */
public record RefusedCall(LlmCall call, LlmRateLimitException refusal, @Nullable URI url, @Nullable String body,
		Map<String, Object> attributes) {

	public RefusedCall {
		attributes = Collections.unmodifiableMap(attributes);
	}

}
