package io.github.llmratelimit.exchange;

/**
 * A response of whose body the beginning has been read, to see what it means.
 *
 * @param <R> type of the response
 * @param response the response, whose body is handed on whole: the beginning from memory,
 * the rest, if any, as it comes
 * @param beginning the bytes that were read
 * @param isComplete whether they are the whole body, which can then be read late, often
 * or never
 */
@SuppressWarnings("ArrayRecordComponent")
public record PeekedResponse<R>(R response, byte[] beginning, boolean isComplete) {

}
