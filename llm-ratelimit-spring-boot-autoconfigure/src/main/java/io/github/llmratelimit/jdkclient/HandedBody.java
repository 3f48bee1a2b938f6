package io.github.llmratelimit.jdkclient;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;

import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * Hands a body to the subscriber of a caller.
 */
final class HandedBody extends BaseSubscriber<List<ByteBuffer>> implements Flow.Subscription {

	private final BodySubscriber<?> reader;

	HandedBody(BodySubscriber<?> reader) {
		this.reader = reader;
	}

	@Override
	protected void hookOnSubscribe(Subscription subscription) {
		this.reader.onSubscribe(this);
	}

	@Override
	protected void hookOnNext(List<ByteBuffer> buffers) {
		this.reader.onNext(buffers);
	}

	@Override
	protected void hookOnError(Throwable failure) {
		this.reader.onError(failure);
	}

	@Override
	protected void hookOnComplete() {
		this.reader.onComplete();
	}

}
