package io.github.llmratelimit.exchange;

import io.github.llmratelimit.pipeline.PassingSubscriber;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;

/**
 * A response body that passes a tap. One operator instead of a chain of peeks: a fused
 * chain need not tell of the end, and every response would pay for each link. Confined to
 * one response.
 *
 * @param <B> type of the chunks of the body
 */
final class TappedBody<B> extends FluxOperator<B, B> {

	private final PublisherTransport<?, B> transport;

	private final BodyTap tap;

	TappedBody(Flux<B> body, PublisherTransport<?, B> transport, BodyTap tap) {
		super(body);
		this.transport = transport;
		this.tap = tap;
	}

	@Override
	public void subscribe(CoreSubscriber<? super B> actual) {
		this.tap.begin();
		this.source.subscribe(new TapSubscriber<>(actual, this.transport, this.tap));
	}

	private static final class TapSubscriber<B> extends PassingSubscriber<B, B> {

		private final PublisherTransport<?, B> transport;

		private final BodyTap tap;

		TapSubscriber(CoreSubscriber<? super B> actual, PublisherTransport<?, B> transport, BodyTap tap) {
			super(actual);
			this.transport = transport;
			this.tap = tap;
		}

		@Override
		public void onNext(B chunk) {
			this.transport.read(chunk, this.tap);
			actual().onNext(chunk);
		}

		@Override
		public void onComplete() {
			this.tap.complete();
			super.onComplete();
		}

		@Override
		public void onError(Throwable failure) {
			this.tap.fail();
			super.onError(failure);
		}

		@Override
		public void cancel() {
			this.tap.cancel();
			super.cancel();
		}

	}

}
