package io.github.llmratelimit;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A response that a client has thrown as an exception.
 *
 * @param status its HTTP status
 * @param headers finds the first value of a header by its lower case name, {@code null}
 * if it is absent
 * @param body its body or the beginning of it, empty if unknown
 */
public record ThrownResponse(int status, Function<String, @Nullable String> headers, byte[] body) {

	/**
	 * Finds the response in the exceptions of a client. Implementations MUST be
	 * thread-safe.
	 */
	@FunctionalInterface
	public interface Reader {

		/**
		 * Read an exception.
		 * @param failure an exception; its causes are asked for one by one
		 * @return the response, {@code null} if the exception holds none
		 */
		@Nullable ThrownResponse read(Throwable failure);

	}

}
