package io.github.llmratelimit.provider;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;

/**
 * Reads a response body as it streams by, in chunks cut anywhere, and keeps only what
 * matters for limits. Not thread-safe; needs bounded memory whatever it is fed, and never
 * throws because of it.
 */
public interface UsageReader {

	/** Reads nothing and knows nothing. */
	UsageReader NONE = (chunk) -> {
	};

	/**
	 * Read the next chunk.
	 * @param chunk the bytes between its position and its limit; left as it is
	 */
	void read(ByteBuffer chunk);

	/**
	 * The tokens used, as reported so far.
	 * @return the usage, {@code null} if none was reported (yet)
	 */
	default @Nullable TokenUsage usage() {
		return null;
	}

	/**
	 * Output seen so far, for streams that end before their usage is reported.
	 * @return a rough number of tokens
	 */
	default long outputSeen() {
		return 0;
	}

	/**
	 * The error that hides in a response whose status is that of a success.
	 * @return what it means, {@code null} if there is none (yet)
	 */
	default @Nullable ThrottleSignal refusal() {
		return null;
	}

}
