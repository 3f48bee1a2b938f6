package io.github.llmratelimit.webclient;

import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.web.reactive.function.client.ClientResponse;

/**
 * A response of whose body the beginning has been read, to see what it means.
 *
 * @param response the response, whose body is handed on whole: the beginning from memory,
 * the rest, if any, as it comes
 * @param beginning the bytes that were read
 * @param isComplete whether they are the whole body, which can then be read late, often
 * or never
 */
@SuppressWarnings("ArrayRecordComponent")
record PeekedBody(ClientResponse response, byte[] beginning, boolean isComplete) {

	/**
	 * Read the beginning of a response's body.
	 * @param response the response
	 * @param enough how many bytes are enough
	 * @return the response with its beginning; also if the body is empty
	 */
	static Mono<PeekedBody> of(ClientResponse response, int enough) {
		return Mono.create((sink) -> {
			BodyPeek peek = new BodyPeek(response, enough, sink);
			sink.onCancel(peek);
			response.bodyToFlux(DataBuffer.class).subscribe(peek);
		});
	}

}
