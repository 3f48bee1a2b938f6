package io.github.llmratelimit.webclient;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RefusedCall;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.pipeline.Answer;
import io.github.llmratelimit.pipeline.Exchange;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.pipeline.SendFailure;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ResponseHead;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * One call of a WebClient.
 */
final class WebClientExchange implements Exchange<ClientResponse> {

	/** Enough of an error to tell what it means. */
	private static final int ERROR_BYTES = 64 * 1024;

	/** Any first chunk tells whether an error hides in a success. */
	private static final int FIRST_CHUNK = 1;

	private final ProviderDialect dialect;

	private final EncodedRequest request;

	private final RequestKeys keys;

	private final ExchangeFunction next;

	private final LlmCallPipeline pipeline;

	private final UnreadBodies unread;

	private final Substitute substitute;

	WebClientExchange(ProviderDialect dialect, EncodedRequest request, RequestKeys keys, ExchangeFunction next,
			LlmCallPipeline pipeline, UnreadBodies unread, Substitute substitute) {
		this.dialect = dialect;
		this.request = request;
		this.keys = keys;
		this.next = next;
		this.pipeline = pipeline;
		this.unread = unread;
		this.substitute = substitute;
	}

	@Override
	public Mono<Answer<ClientResponse>> send(Permit permit) {
		return this.next.exchange(this.keys.apply(this.request.toSend(), permit.key()))
			.flatMap((response) -> answer(response, permit));
	}

	@Override
	public ThrottleSignal classify(Throwable failure) {
		return SendFailure.classify(failure);
	}

	@Override
	public RefusedCall refused(LlmCall call, LlmRateLimitException refusal) {
		return this.substitute.refused(call, refusal);
	}

	@Override
	public Mono<ClientResponse> answer(RefusedCall refused, FallbackAnswer answer) {
		return this.substitute.answer(refused, answer);
	}

	private Mono<Answer<ClientResponse>> answer(ClientResponse response, Permit permit) {
		HttpHeaders headers = response.headers().asHttpHeaders();
		ResponseHead head = new ResponseHead(response.statusCode().value(), headers::getFirst);
		permit.observe(this.dialect.observe(head));
		if (head.isSuccessful() && !this.dialect.mayHideError(head)) {
			return Mono.just(Answer.accepted(tapped(response, head, permit)));
		}
		return PeekedBody.of(response, head.isSuccessful() ? FIRST_CHUNK : ERROR_BYTES)
			.flatMap((body) -> answer(body, head, permit));
	}

	private Mono<Answer<ClientResponse>> answer(PeekedBody body, ResponseHead head, Permit permit) {
		ThrottleSignal signal = this.dialect.classify(head, body.beginning());
		if (signal.outcome() == CallOutcome.SUCCESS) {
			return Mono.just(Answer.accepted(tapped(body.response(), head, permit)));
		}
		Mono<PeekedBody> whole = body.isComplete() ? Mono.just(body) : PeekedBody.of(body.response(), ERROR_BYTES);
		return whole.map((error) -> Answer.refused(error.response(), signal, head.status(), error.isComplete()));
	}

	private ClientResponse tapped(ClientResponse response, ResponseHead head, Permit permit) {
		ResponseTap tap = new ResponseTap(permit, this.dialect.usageReader(head), this.pipeline, this.unread);
		return response.mutate().body(tap::apply).build();
	}

}
