package io.github.llmratelimit.exchange;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.FallbackAnswer.Resend;
import io.github.llmratelimit.FallbackAnswer.Response;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RefusedCall;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.pipeline.Answer;
import io.github.llmratelimit.pipeline.Exchange;
import io.github.llmratelimit.pipeline.SendFailure;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ResponseHead;
import reactor.core.publisher.Mono;

/**
 * One call of an HTTP client.
 *
 * @param <R> type of the response
 */
final class HttpExchange<R> implements Exchange<R> {

	/** Enough of an error to tell what it means. */
	private static final int ERROR_BYTES = 64 * 1024;

	/** Any first chunk tells whether an error hides in a success. */
	private static final int FIRST_CHUNK = 1;

	private final LlmExchanges exchanges;

	private final ProviderDialect dialect;

	private final RequestKeys keys;

	private final LlmRequest request;

	private final HttpTransport<R> transport;

	HttpExchange(LlmExchanges exchanges, ProviderDialect dialect, RequestKeys keys, LlmRequest request,
			HttpTransport<R> transport) {
		this.exchanges = exchanges;
		this.dialect = dialect;
		this.keys = keys;
		this.request = request;
		this.transport = transport;
	}

	@Override
	public Mono<Answer<R>> send(Permit permit) {
		return this.transport.send(this.keys.apply(this.request, permit.key()))
			.flatMap((response) -> answer(response, permit));
	}

	@Override
	public ThrottleSignal classify(Throwable failure) {
		return SendFailure.classify(failure);
	}

	private Mono<Answer<R>> answer(R response, Permit permit) {
		ResponseHead head = this.transport.head(response);
		permit.observe(this.dialect.observe(head));
		if (head.isSuccessful() && !this.dialect.mayHideError(head)) {
			return Mono.just(accepted(response, head, permit));
		}
		return this.transport.peek(response, head.isSuccessful() ? FIRST_CHUNK : ERROR_BYTES)
			.flatMap((peeked) -> answer(peeked, head, permit));
	}

	private Mono<Answer<R>> answer(PeekedResponse<R> peeked, ResponseHead head, Permit permit) {
		ThrottleSignal signal = this.dialect.classify(head, peeked.beginning());
		if (signal.outcome() == CallOutcome.SUCCESS) {
			return Mono.just(accepted(peeked.response(), head, permit));
		}
		Mono<PeekedResponse<R>> whole = peeked.isComplete() ? Mono.just(peeked)
				: this.transport.peek(peeked.response(), ERROR_BYTES);
		return whole.map((error) -> Answer.refused(error.response(), signal, head.status(),
				error.isComplete() && this.transport.isRepeatable()));
	}

	private Answer<R> accepted(R response, ResponseHead head, Permit permit) {
		return Answer.accepted(this.transport.tap(response, this.exchanges.tap(permit, this.dialect, head)));
	}

	@Override
	public RefusedCall refused(LlmCall call, LlmRateLimitException refusal) {
		return new RefusedCall(call, refusal, this.request.url(), this.request.text(), this.request.attributes());
	}

	@Override
	public Mono<R> answer(RefusedCall refused, FallbackAnswer answer) {
		Mono<R> response = (answer instanceof Resend resend) ? send(refused, resend)
				: Mono.just(respond((Response) answer));
		return response
			.map((given) -> this.transport.mark(given, LlmFallback.HEADER, refused.refusal().reason().name()));
	}

	private R respond(Response response) {
		return this.transport.respond(response.status(), response.contentType(), response.body());
	}

	private Mono<R> send(RefusedCall refused, Resend resend) {
		LlmRequest request = this.request.again(resend, refused.call().maxWait());
		return this.exchanges.execute(request, this.transport).flatMap((response) -> requireAnswer(request, response));
	}

	private Mono<R> requireAnswer(LlmRequest request, R response) {
		int status = this.transport.head(response).status();
		return (status < 400) ? Mono.just(response)
				: this.transport.discard(response)
					.then(Mono.error(() -> new IllegalStateException(
							"status: %s (expected: a success) from %s".formatted(status, request.url().getHost()))));
	}

}
