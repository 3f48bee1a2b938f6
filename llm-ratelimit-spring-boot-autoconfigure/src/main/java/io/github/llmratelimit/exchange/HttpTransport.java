package io.github.llmratelimit.exchange;

import io.github.llmratelimit.provider.ResponseHead;
import reactor.core.publisher.Mono;

/**
 * How one HTTP client sends its request, and how its responses are read. Used by one call
 * at a time.
 *
 * @param <R> type of the responses
 * @see StreamTransport
 */
public interface HttpTransport<R> {

	/**
	 * Send the request once.
	 * @param request the request, with all that is to be changed in what the client has
	 * written
	 * @return the response, as soon as its headers are there; or an error if there is
	 * none
	 */
	Mono<R> send(LlmRequest request);

	/**
	 * Whether the request can be sent again.
	 * @return false if its body can be written only once
	 */
	default boolean isRepeatable() {
		return true;
	}

	/**
	 * What is known of a response before its body.
	 * @param response a response
	 * @return its status and headers
	 */
	ResponseHead head(R response);

	/**
	 * Read the beginning of a response's body.
	 * @param response a response of whose body nothing has been read
	 * @param enough how many bytes are enough; more may be read, fewer only if there are
	 * no more
	 * @return the response with its beginning; also if the body is empty
	 */
	Mono<PeekedResponse<R>> peek(R response, int enough);

	/**
	 * Let a tap see the body of a response as it is read.
	 * @param response a response
	 * @param tap MUST be told of every chunk, and of the end before the reader is
	 * @return the same response, whose body passes the tap
	 */
	R tap(R response, BodyTap tap);

	/**
	 * A response that nobody has sent.
	 * @param status its HTTP status
	 * @param contentType its content type
	 * @param body its body
	 * @return the response
	 */
	R respond(int status, String contentType, byte[] body);

	/**
	 * A response with one more header.
	 * @param response a response
	 * @param name name of the header
	 * @param value its value
	 * @return the same response with it
	 */
	R mark(R response, String name, String value);

	/**
	 * Give up a response that nobody will read, so that its connection is free.
	 * @param response a response
	 * @return completes when that is done
	 */
	Mono<Void> discard(R response);

}
