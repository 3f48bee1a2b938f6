package io.github.llmratelimit;

import org.jspecify.annotations.Nullable;

/**
 * Says what the failures of limited actions mean, those of a client that throws
 * exceptions of its own for example. Beans are asked in their order until one knows.
 * Implementations MUST be thread-safe and MUST NOT block.
 */
@FunctionalInterface
public interface LlmFailureClassifier {

	/**
	 * What a failure means.
	 * @param call the call that has failed
	 * @param failure why it has failed, without the wrappers of futures
	 * @return the meaning, {@code null} if it is unknown
	 */
	@Nullable ThrottleSignal classify(LlmCall call, Throwable failure);

}
