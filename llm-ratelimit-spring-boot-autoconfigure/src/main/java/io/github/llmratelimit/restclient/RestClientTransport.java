package io.github.llmratelimit.restclient;

import java.io.InputStream;

import io.github.llmratelimit.exchange.LlmRequest;
import io.github.llmratelimit.exchange.PeekedResponse;
import io.github.llmratelimit.exchange.StreamTransport;
import io.github.llmratelimit.provider.ResponseHead;
import io.github.llmratelimit.time.WaitingThread;
import reactor.core.publisher.Mono;

import org.springframework.http.client.ClientHttpRequestExecution;

/**
 * Sends a request of a RestClient or RestTemplate on the thread that waits for it.
 */
final class RestClientTransport extends StreamTransport<StreamedResponse> {

	private final WaitingThread thread;

	private final WrittenRequest request;

	private final ClientHttpRequestExecution execution;

	RestClientTransport(WaitingThread thread, WrittenRequest request, ClientHttpRequestExecution execution) {
		this.thread = thread;
		this.request = request;
		this.execution = execution;
	}

	@Override
	public Mono<StreamedResponse> send(LlmRequest request) {
		WrittenRequest toSend = this.request.toSend(request);
		return this.thread.run(() -> StreamedResponse.of(this.execution.execute(toSend.request(), toSend.body())));
	}

	@Override
	public ResponseHead head(StreamedResponse response) {
		return response.head();
	}

	/* One that is in memory may be dropped for the next attempt, or read late. */
	@Override
	public Mono<PeekedResponse<StreamedResponse>> peek(StreamedResponse response, int enough) {
		return super.peek(response, enough).doOnNext((peeked) -> {
			if (peeked.isComplete()) {
				response.connection().run();
			}
		});
	}

	@Override
	protected InputStream body(StreamedResponse response) {
		return response.getBody();
	}

	@Override
	protected StreamedResponse with(StreamedResponse response, InputStream body) {
		return response.with(body);
	}

	@Override
	public StreamedResponse respond(int status, String contentType, byte[] body) {
		return StreamedResponse.of(status, contentType, body);
	}

	@Override
	public StreamedResponse mark(StreamedResponse response, String name, String value) {
		return response.with(name, value);
	}

	@Override
	public Mono<Void> discard(StreamedResponse response) {
		return Mono.fromRunnable(response::close);
	}

}
