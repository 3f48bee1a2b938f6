package io.github.llmratelimit.pipeline;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/**
 * A subscriber that passes everything on, in both directions, unless told otherwise: one
 * that knows several signals costs less than a chain of operators. Confined to one
 * subscription.
 *
 * @param <I> type of the elements that come
 * @param <O> type of the elements that are passed on
 */
public abstract class PassingSubscriber<I, O> implements CoreSubscriber<I>, Subscription {

	private final CoreSubscriber<? super O> actual;

	private @Nullable Subscription upstream;

	/**
	 * Create a subscriber.
	 * @param actual to whom everything is passed on
	 */
	protected PassingSubscriber(CoreSubscriber<? super O> actual) {
		this.actual = actual;
	}

	/**
	 * The next subscriber.
	 * @return to whom everything is passed on
	 */
	protected final CoreSubscriber<? super O> actual() {
		return this.actual;
	}

	@Override
	public final Context currentContext() {
		return this.actual.currentContext();
	}

	@Override
	public final void onSubscribe(Subscription upstream) {
		this.upstream = upstream;
		this.actual.onSubscribe(this);
	}

	@Override
	public void onError(Throwable failure) {
		this.actual.onError(failure);
	}

	@Override
	public void onComplete() {
		this.actual.onComplete();
	}

	@Override
	public final void request(long n) {
		if (this.upstream != null) {
			this.upstream.request(n);
		}
	}

	@Override
	public void cancel() {
		if (this.upstream != null) {
			this.upstream.cancel();
		}
	}

}
