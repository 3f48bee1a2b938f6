package io.github.llmratelimit.sdk;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

import io.github.llmratelimit.exchange.LlmRequest;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request.
 *
 * @param contentType its content type, {@code null} if it has none
 * @param length its length in bytes, negative if it is unknown
 * @param repeatable whether it can be written more than once
 * @param writer writes it
 */
record SdkBody(@Nullable String contentType, long length, boolean repeatable, Consumer<OutputStream> writer) {

	/**
	 * The body, if it is worth reading.
	 * @return its bytes, {@code null} if it is not JSON, too large or cannot be written
	 * again
	 */
	@Nullable ByteBuffer json() {
		if (!this.repeatable || !LlmRequest.isJson(this.contentType) || this.length < 0
				|| this.length > LlmRequest.MOST_BYTES) {
			return null;
		}
		ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) this.length);
		this.writer.accept(bytes);
		return ByteBuffer.wrap(bytes.toByteArray());
	}

}
