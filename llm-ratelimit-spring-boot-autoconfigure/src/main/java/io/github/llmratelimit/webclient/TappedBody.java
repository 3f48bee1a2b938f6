package io.github.llmratelimit.webclient;

import io.github.llmratelimit.exchange.BodyTap;
import io.github.llmratelimit.pipeline.PassingSubscriber;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * A response body that passes a tap. One operator instead of a chain of peeks: a fused
 * chain need not tell of the end, and every response would pay for each link. Confined to
 * one response.
 */
final class TappedBody extends FluxOperator<DataBuffer, DataBuffer> {

	private final BodyTap tap;

	TappedBody(Flux<DataBuffer> body, BodyTap tap) {
		super(body);
		this.tap = tap;
	}

	@Override
	public void subscribe(CoreSubscriber<? super DataBuffer> actual) {
		this.tap.begin();
		this.source.subscribe(new TapSubscriber(actual, this.tap));
	}

	private static final class TapSubscriber extends PassingSubscriber<DataBuffer, DataBuffer> {

		private final BodyTap tap;

		TapSubscriber(CoreSubscriber<? super DataBuffer> actual, BodyTap tap) {
			super(actual);
			this.tap = tap;
		}

		@Override
		public void onNext(DataBuffer buffer) {
			try (DataBuffer.ByteBufferIterator chunks = buffer.readableByteBuffers()) {
				chunks.forEachRemaining(this.tap::read);
			}
			actual().onNext(buffer);
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
