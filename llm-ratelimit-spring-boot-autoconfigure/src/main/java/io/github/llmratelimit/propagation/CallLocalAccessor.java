package io.github.llmratelimit.propagation;

import io.github.llmratelimit.CallLocal;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Lets a value of a thread travel. Thread-safe.
 *
 * @param <V> type of the value
 */
abstract class CallLocalAccessor<V> implements ThreadLocalAccessor<V> {

	private final CallLocal<V> local;

	CallLocalAccessor(CallLocal<V> local) {
		this.local = local;
	}

	@Override
	public final Object key() {
		return this.local.key();
	}

	@Override
	public final @Nullable V getValue() {
		return this.local.get();
	}

	@Override
	public final void setValue(V value) {
		this.local.set(value);
	}

	@Override
	public final void setValue() {
		this.local.set(null);
	}

}
