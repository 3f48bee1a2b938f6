package io.github.llmratelimit.pipeline;

import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Permit;

/**
 * One sending of a call, of which an error is an answer as well. Until there is an answer
 * a cancellation ends the permit; after that the permit belongs to the answer, although a
 * cancellation still passes by here.
 *
 * @param <R> type of the response
 */
final class Sending<R> extends Mono<Answer<R>> {

	private final Permit permit;

	private final Exchange<R> exchange;

	Sending(Permit permit, Exchange<R> exchange) {
		this.permit = permit;
		this.exchange = exchange;
	}

	@Override
	public void subscribe(CoreSubscriber<? super Answer<R>> actual) {
		send().subscribe(new SendingSubscriber<>(this, actual));
	}

	/* Other filters of a client are users' code, which may throw. */
	private Mono<Answer<R>> send() {
		try {
			return this.exchange.send(this.permit);
		}
		catch (Throwable ex) {
			Exceptions.throwIfFatal(ex);
			return Mono.error(ex);
		}
	}

	private static final class SendingSubscriber<R> extends PassingSubscriber<Answer<R>, Answer<R>> {

		private final Sending<R> sending;

		private volatile boolean answered;

		SendingSubscriber(Sending<R> sending, CoreSubscriber<? super Answer<R>> actual) {
			super(actual);
			this.sending = sending;
		}

		@Override
		public void onNext(Answer<R> answer) {
			this.answered = true;
			actual().onNext(answer);
		}

		@Override
		public void onError(Throwable failure) {
			if (this.answered) {
				super.onError(failure);
				return;
			}
			onNext(Answer.failed(failure, this.sending.exchange.classify(failure)));
			super.onComplete();
		}

		@Override
		public void onComplete() {
			if (!this.answered) {
				this.sending.permit.complete(CallOutcome.FAILED, null);
			}
			super.onComplete();
		}

		@Override
		public void cancel() {
			if (!this.answered) {
				this.sending.permit.complete(CallOutcome.CANCELLED, null);
			}
			super.cancel();
		}

	}

}
